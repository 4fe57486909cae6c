sinew_python_test(layering test_layering)
set(floors base math model import pose skin actor render host bindings)
list(TRANSFORM floors REPLACE "(.+)" "$<TARGET_FILE:sinew_\\1>")
sinew_python_test(layering test_symbols ${CMAKE_NM} ${floors})
