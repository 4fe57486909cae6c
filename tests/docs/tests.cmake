sinew_python_test(docs test_readme)
sinew_python_test(docs test_terms)
sinew_python_test(docs test_changes)
sinew_python_test(docs test_architecture)
