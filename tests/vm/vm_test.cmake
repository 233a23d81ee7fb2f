# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# Tests that run in a guest with a real kernel and rxe.
#
#   add_vm_test(NAME <name>
#     PROGRAM <target or path> | SCRIPT <path>   what to run
#     [ARGS <word>...]         none of them empty
#     [GROUP <group>]          share a boot with the group's other tests
#     [TIMEOUT <seconds>]      for the run, boot included (60)
#     [LABELS <label>...]      beside the group's
#     [NO_TEST]                with GROUP: run it, and leave it to another test
#                              to tell of it
#     <guest options>)         not together with GROUP
#   add_vm_group(<group> [LABELS <label>...] <guest options>
#     [LIMIT <seconds>])       for the whole run (the sum of the programs')
#
# Guest options:
#     [STOCK | UVERBS <which>] ib_uverbs: ours (default), stock, none, or a path
#     [SMP <n>]                processors (1)
#     [MEMORY <MiB>]
#     [RXE <n>]                rxe0.. on dummy0.. with 10.9.0.1.. (1)
#     [MODULES <name>...]      more modules to load, by name or path
#     [ENV <NAME=VALUE>...]    environment of the program
#     [APPEND <words>]         kernel command line, instead of slub_debug=FZPU
#     [KERNEL <dir>]           another kernel than the one that fetch got
#     [NEEDS <fixture>...]     CTest fixtures that must be up before
#
# The programs find VM_BUILD (this build folder), VM_SOURCE (this tree),
# VM_WORK (the one place to write to that outlives the guest) and VM_UVERBS
# (which ib_uverbs it is) in their environment. They run as root, in VM_WORK;
# with GROUP in an empty folder of their own. Exit status 0 is a pass, 77 a
# skip, anything else a failure; so is whatever the kernel complains of.
#
# A group is one boot for many small programs: CTest shows the boot as
# <group>.boot and each program as a test of its own.

set(VM_DIR ${CMAKE_BINARY_DIR}/vm CACHE PATH
    "Where the guest's kernel and module are kept, and what guests leave")
set(VM_TOOLS ${CMAKE_CURRENT_LIST_DIR})

set(_vm_flags STOCK)
set(_vm_values UVERBS SMP MEMORY RXE APPEND KERNEL)
set(_vm_lists MODULES ENV NEEDS LABELS)

# The options of `run` and `group` for the guest options parsed as A_*, in
# `options`; the fixtures that they need, in `needs`.
macro(_vm_guest_options name)
  if(A_STOCK)
    set(A_UVERBS stock)
  elseif(NOT A_UVERBS)
    set(A_UVERBS ours)
  endif()
  if(NOT A_SMP)
    set(A_SMP 1)
  endif()
  set(options --vm ${VM_DIR} --work ${VM_DIR}/run/${name}
    --keep ${CMAKE_BINARY_DIR} --uverbs ${A_UVERBS} --smp ${A_SMP}
    --env VM_BUILD=${CMAKE_BINARY_DIR} --env VM_SOURCE=${PROJECT_SOURCE_DIR})
  foreach(option MEMORY RXE APPEND KERNEL)
    if(DEFINED A_${option})
      string(TOLOWER ${option} _vm_word)
      list(APPEND options "--${_vm_word}=${A_${option}}")
    endif()
  endforeach()
  foreach(module IN LISTS A_MODULES)
    list(APPEND options --module ${module})
  endforeach()
  foreach(setting IN LISTS A_ENV)
    list(APPEND options --env "${setting}")
  endforeach()
  set(needs vm_kernel ${A_NEEDS})
  if(A_UVERBS STREQUAL ours)
    list(APPEND needs vm_module)
  endif()
endmacro()

# The words to run for PROGRAM or SCRIPT with ARGS, in `words`
macro(_vm_words name)
  if(A_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${name}: what is ${A_UNPARSED_ARGUMENTS}?")
  endif()
  if(A_PROGRAM AND TARGET ${A_PROGRAM})
    set(words $<TARGET_FILE:${A_PROGRAM}>)
  elseif(A_PROGRAM)
    set(words ${A_PROGRAM})
  elseif(A_SCRIPT)
    get_filename_component(words ${A_SCRIPT} ABSOLUTE)
    if(NOT EXISTS ${words})
      message(FATAL_ERROR "${name}: no ${words}")
    endif()
  else()
    message(FATAL_ERROR "${name}: neither PROGRAM nor SCRIPT")
  endif()
  list(APPEND words ${A_ARGS})
  if(NOT A_TIMEOUT)
    set(A_TIMEOUT 60)
  endif()
endmacro()

function(add_vm_group group)
  cmake_parse_arguments(A "${_vm_flags}" "LIMIT;${_vm_values}" "${_vm_lists}"
    ${ARGN})
  if(A_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${group}: what is ${A_UNPARSED_ARGUMENTS}?")
  endif()
  _vm_guest_options(${group})
  set_property(GLOBAL PROPERTY VM_GROUP_OPTIONS_${group} "${options}")
  set_property(GLOBAL PROPERTY VM_GROUP_NEEDS_${group} "${needs}")
  set_property(GLOBAL PROPERTY VM_GROUP_SMP_${group} ${A_SMP})
  set_property(GLOBAL PROPERTY VM_GROUP_LABELS_${group} "${A_LABELS}")
  set_property(GLOBAL PROPERTY VM_GROUP_LIMIT_${group} "${A_LIMIT}")
  # When all the group's tests are known
  cmake_language(EVAL CODE "
    cmake_language(DEFER DIRECTORY [[${PROJECT_SOURCE_DIR}/tests/vm]]
      CALL _vm_boot_group [[${group}]])")
endfunction()

function(_vm_boot_group group)
  get_property(options GLOBAL PROPERTY VM_GROUP_OPTIONS_${group})
  get_property(needs GLOBAL PROPERTY VM_GROUP_NEEDS_${group})
  get_property(smp GLOBAL PROPERTY VM_GROUP_SMP_${group})
  get_property(labels GLOBAL PROPERTY VM_GROUP_LABELS_${group})
  get_property(lines GLOBAL PROPERTY VM_GROUP_LINES_${group})
  get_property(seconds GLOBAL PROPERTY VM_GROUP_LIMIT_${group})
  if(NOT seconds)
    get_property(seconds GLOBAL PROPERTY VM_GROUP_SECONDS_${group})
  endif()
  if(NOT lines)
    message(FATAL_ERROR "${group}: a group without tests")
  endif()
  set(list_file ${CMAKE_BINARY_DIR}/tests/vm/groups/${group})
  file(GENERATE OUTPUT ${list_file} CONTENT "${lines}")
  math(EXPR seconds "${seconds} + 30")
  add_test(NAME ${group}.boot
    COMMAND ${VM_TOOLS}/group ${options} --timeout ${seconds} ${list_file})
  math(EXPR seconds "${seconds} + 30")
  set_tests_properties(${group}.boot PROPERTIES
    TIMEOUT ${seconds} PROCESSORS ${smp} LABELS "vm;${labels}"
    FIXTURES_REQUIRED "${needs}" FIXTURES_SETUP ${group})
endfunction()

function(add_vm_test)
  cmake_parse_arguments(A "NO_TEST;${_vm_flags}"
    "NAME;PROGRAM;SCRIPT;GROUP;TIMEOUT;${_vm_values}" "ARGS;${_vm_lists}" ${ARGN})
  if(NOT A_NAME)
    message(FATAL_ERROR "add_vm_test: no NAME")
  endif()
  _vm_words(${A_NAME})
  if(A_GROUP)
    foreach(option ${_vm_flags} ${_vm_values} MODULES ENV NEEDS)
      if(A_${option})
        message(FATAL_ERROR "${A_NAME}: ${option} is the group's to say")
      endif()
    endforeach()
    get_property(known GLOBAL PROPERTY VM_GROUP_OPTIONS_${A_GROUP} SET)
    if(NOT known)
      message(FATAL_ERROR "${A_NAME}: no group ${A_GROUP}")
    endif()
    list(JOIN words "\t" line)
    set_property(GLOBAL APPEND_STRING PROPERTY VM_GROUP_LINES_${A_GROUP}
      "${A_NAME}\t${A_TIMEOUT}\t${line}\n")
    get_property(seconds GLOBAL PROPERTY VM_GROUP_SECONDS_${A_GROUP})
    math(EXPR seconds "0${seconds} + ${A_TIMEOUT}")
    set_property(GLOBAL PROPERTY VM_GROUP_SECONDS_${A_GROUP} ${seconds})
    if(A_NO_TEST)
      return()
    endif()
    add_test(NAME ${A_NAME}
      COMMAND ${VM_TOOLS}/report ${VM_DIR}/run/${A_GROUP} ${A_NAME})
    get_property(labels GLOBAL PROPERTY VM_GROUP_LABELS_${A_GROUP})
    set_tests_properties(${A_NAME} PROPERTIES
      TIMEOUT 30 LABELS "vm;${labels};${A_LABELS}" SKIP_RETURN_CODE 77
      FIXTURES_REQUIRED ${A_GROUP})
  else()
    _vm_guest_options(${A_NAME})
    add_test(NAME ${A_NAME}
      COMMAND ${VM_TOOLS}/run ${options} --timeout ${A_TIMEOUT} -- ${words})
    math(EXPR seconds "${A_TIMEOUT} + 30")
    set_tests_properties(${A_NAME} PROPERTIES
      TIMEOUT ${seconds} PROCESSORS ${A_SMP} LABELS "vm;${A_LABELS}"
      SKIP_RETURN_CODE 77 FIXTURES_REQUIRED "${needs}")
  endif()
endfunction()
