sinew_python_test(docs test_readme)
