/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR Linux-OpenIB) */
/*
 * Methods that export an object of one uverbs file into another and import it
 * from there.  They stand in the driver namespace of the existing objects, so
 * that no number of a future kernel can meet them.
 *
 * A kernel without them answers EPROTONOSUPPORT; with them, a method that is
 * called without attributes answers EINVAL: a probe without side effects.
 */
#ifndef IB_USER_SHARE_CMDS_H
#define IB_USER_SHARE_CMDS_H

/* Methods of UVERBS_OBJECT_PD and, with the same numbers, UVERBS_OBJECT_MR */
enum uverbs_methods_share_pd {
	UVERBS_METHOD_PD_EXPORT_TO_FD = (1U << 12) + 6,
	UVERBS_METHOD_PD_IMPORT_FROM_FD,
};

enum uverbs_methods_share_mr {
	UVERBS_METHOD_MR_EXPORT_TO_FD = (1U << 12) + 6,
	UVERBS_METHOD_MR_IMPORT_FROM_FD,
};

/* On the file that owns the handle */
enum uverbs_attrs_export_to_fd {
	UVERBS_ATTR_EXPORT_TO_FD_HANDLE,	/* object, read */
	UVERBS_ATTR_EXPORT_TO_FD_TARGET,	/* raw fd: length 0, value in data_s64 */
	UVERBS_ATTR_EXPORT_TO_FD_RESP_HANDLE,	/* u32: the handle in the target */
};

/* On the file that receives the object */
enum uverbs_attrs_import_from_fd {
	UVERBS_ATTR_IMPORT_FROM_FD_HANDLE,	/* new object */
	UVERBS_ATTR_IMPORT_FROM_FD_SOURCE,	/* raw fd */
	UVERBS_ATTR_IMPORT_FROM_FD_SOURCE_HANDLE, /* u32 in */
	/* MR only, mandatory */
	UVERBS_ATTR_IMPORT_FROM_FD_RESP_LKEY,	/* u32 */
	UVERBS_ATTR_IMPORT_FROM_FD_RESP_RKEY,	/* u32 */
	UVERBS_ATTR_IMPORT_FROM_FD_RESP_LENGTH,	/* u64 */
	UVERBS_ATTR_IMPORT_FROM_FD_RESP_IOVA,	/* u64 */
	/*
	 * MR only, optional: written only if the MR's PD has a handle here;
	 * rather one that was allocated or imported here than one that was
	 * exported to here.
	 */
	UVERBS_ATTR_IMPORT_FROM_FD_RESP_PD_HANDLE, /* u32 */
	/*
	 * PD only, optional: the driver's part of the reply that the maker of
	 * the PD got.  DRIVER_LEN is its length: 0 if there was none, or one of
	 * more than 64 bytes, which the kernel does not keep.  DRIVER gets that
	 * much of it as fits and zeros behind; without a reply it is not
	 * written.  The maker could have changed the bytes: they are worth as
	 * much as the word of the exporting process.
	 */
	UVERBS_ATTR_IMPORT_FROM_FD_RESP_DRIVER,
	UVERBS_ATTR_IMPORT_FROM_FD_RESP_DRIVER_LEN, /* u32 */
};

#endif
