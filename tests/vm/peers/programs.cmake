# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
#   add_peer_programs(<prefix> TABLE <file> DRIVER <name>
#     SCRIPT <script>              `program`, or what calls it
#     GROUPS <debian> <mixed> <ours>)
#
# Runs every row of a table on three configurations, each in its guest group. A
# row's test, <prefix>.<row>, compares them; <prefix>.tally looks at how many
# tries they took.

set(PEERS_DIR ${CMAKE_CURRENT_LIST_DIR})

function(add_peer_programs prefix)
  cmake_parse_arguments(A "" "TABLE;DRIVER;SCRIPT" "GROUPS" ${ARGN})
  get_filename_component(table ${A_TABLE} ABSOLUTE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${table})
  file(STRINGS ${table} rows REGEX "^[a-z]")
  list(TRANSFORM rows REPLACE " .*" "")
  set(all_runs)
  set(groups ${A_GROUPS})
  list(REMOVE_DUPLICATES groups)
  foreach(row IN LISTS rows)
    set(runs)
    foreach(config group IN ZIP_LISTS peer_configs A_GROUPS)
      set(name ${prefix}.${config}.${row})
      add_vm_test(NAME ${name} GROUP ${group} TIMEOUT 130 NO_TEST
        SCRIPT ${A_SCRIPT} ARGS ${table} ${row} ${config} ${name})
      list(APPEND runs ${VM_DIR}/run/${group}/${name})
    endforeach()
    list(APPEND all_runs ${runs})
    add_test(NAME ${prefix}.${row}
      COMMAND ${PEERS_DIR}/compare ${table} ${row} ${A_DRIVER}
        ${CMAKE_LIBRARY_OUTPUT_DIRECTORY} ${runs})
    set_tests_properties(${prefix}.${row} PROPERTIES
      TIMEOUT 30 LABELS "vm;peers" FIXTURES_REQUIRED "${groups}")
  endforeach()
  add_test(NAME ${prefix}.tally COMMAND ${PEERS_DIR}/tally ${all_runs})
  set_tests_properties(${prefix}.tally PROPERTIES
    TIMEOUT 30 LABELS "vm;peers" FIXTURES_REQUIRED "${groups}")
endfunction()

set(peer_configs debian mixed ours)
