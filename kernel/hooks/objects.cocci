// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
// PDs and MRs get a larger uobject and destructors that count aliases; what is
// known of them only while they are made is kept in it.

@include@
@@
  #include "rdma_core.h"
+ #include "uverbs_share.h"

@pd_type@
declarer name DECLARE_UVERBS_NAMED_OBJECT;
@@
  DECLARE_UVERBS_NAMED_OBJECT(UVERBS_OBJECT_PD,
-	UVERBS_TYPE_ALLOC_IDR(uverbs_free_pd),
+	UVERBS_TYPE_ALLOC_IDR_SZ(sizeof(struct share_uobject), uverbs_share_destroy_pd),
	...);

@mr_type@
declarer name DECLARE_UVERBS_NAMED_OBJECT;
@@
  DECLARE_UVERBS_NAMED_OBJECT(UVERBS_OBJECT_MR,
-	UVERBS_TYPE_ALLOC_IDR(uverbs_free_mr),
+	UVERBS_TYPE_ALLOC_IDR_SZ(sizeof(struct share_uobject), uverbs_share_destroy_mr),
	...);

@pd_destructor@
@@
- static
  int uverbs_free_pd(...) { ... }

@mr_destructor@
@@
- static
  int uverbs_free_mr(...) { ... }

@alloc_pd@
identifier uobj, pd;
@@
  ib_uverbs_alloc_pd(...) {
  <...
	uobj->object = pd;
+	uverbs_share_note_reply(uobj, attrs);
  ...>
  }

@reg_mr@
identifier uobj, mr;
@@
  ib_uverbs_reg_mr(...) {
  <...
	uobj->object = mr;
+	uverbs_share_reg_mr(uobj, cmd.access_flags);
  ...>
  }

@rereg_shared@
@@
  ib_uverbs_rereg_mr(...) {
  <...
	mr = uobj->object;
+	if (uverbs_share_mr_busy(uobj, cmd.flags)) {
+		ret = -EBUSY;
+		goto put_uobjs;
+	}
  ...>
  }

@rereg_new@
@@
  ib_uverbs_rereg_mr(...) {
  <...
	new_uobj->object = new_mr;
+	uverbs_share_rereg_mr(uobj, new_uobj, cmd.flags, cmd.access_flags);
  ...>
  }

@rereg_same@
@@
  ib_uverbs_rereg_mr(...) {
  <...
+	uverbs_share_rereg_mr(uobj, uobj, cmd.flags, cmd.access_flags);
	if (cmd.flags & IB_MR_REREG_TRANS) {
		mr->iova = ...;
		...
	}
  ...>
  }
