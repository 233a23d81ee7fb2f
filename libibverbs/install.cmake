# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# What is installed of the library, and what programs of others find it by:
# libibverbs.pc for pkg-config, a package "ibverbs" for CMake.
include(CMakePackageConfigHelpers)

set(IBVERBS_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/ibverbs)

install(TARGETS ibverbs EXPORT ibverbs
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/infiniband DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

install(EXPORT ibverbs NAMESPACE ibverbs:: FILE ibverbs-targets.cmake
  DESTINATION ${IBVERBS_CMAKE_DIR})
write_basic_package_version_file(
  ${CMAKE_CURRENT_BINARY_DIR}/ibverbs-config-version.cmake
  VERSION ${IBVERBS_VERSION} COMPATIBILITY SameMajorVersion)
configure_file(ibverbs-config.cmake.in ibverbs-config.cmake COPYONLY)
install(FILES
  ${CMAKE_CURRENT_BINARY_DIR}/ibverbs-config.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/ibverbs-config-version.cmake
  DESTINATION ${IBVERBS_CMAKE_DIR})

# Folders below the prefix are told by it, so that pkg-config can move them.
foreach(dir LIBDIR INCLUDEDIR)
  set(PC_${dir} ${CMAKE_INSTALL_${dir}})
  if(NOT IS_ABSOLUTE ${PC_${dir}})
    string(PREPEND PC_${dir} "\${prefix}/")
  endif()
endforeach()
# Filled in when installing, which may be to another prefix than configured
install(CODE "
  set(PC_LIBDIR [[${PC_LIBDIR}]])
  set(PC_INCLUDEDIR [[${PC_INCLUDEDIR}]])
  set(PC_LIBS_PRIVATE [[$<JOIN:$<TARGET_PROPERTY:ibverbs,STATIC_LIBS>, >]])
  set(IBVERBS_VERSION [[${IBVERBS_VERSION}]])
  configure_file([[${CMAKE_CURRENT_SOURCE_DIR}/libibverbs.pc.in]]
    [[${CMAKE_CURRENT_BINARY_DIR}/libibverbs.pc]] @ONLY)")
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/libibverbs.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
