// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
// When objects, files, devices and the module go.

@visible@
@@
- static
  void ufile_destroy_ucontext(...) { ... }

@keep_context@
identifier ufile, reason;
@@
  uverbs_destroy_ufile_hw(struct ib_uverbs_file *ufile, enum rdma_remove_reason reason) {
  <...
-	ufile_destroy_ucontext(ufile, reason);
+	if (!uverbs_share_keep_context(ufile, reason))
+		ufile_destroy_ucontext(ufile, reason);
  ...>
  }

@destroy@
identifier f = {uverbs_destroy_uobject, rdma_alloc_abort_uobject};
expression ret;
@@
  f(...) {
+	struct ib_pd *share_pd;
  <...
+	share_pd = uverbs_share_begin_destroy(uobj);
	ret = uobj->uapi_object->type_class->destroy_hw(...);
+	uverbs_share_reap(share_pd, uobj->uapi_object->id);
  ...>
  }

@rereg@
expression pd;
@@
  ib_uverbs_rereg_mr(...) {
  <...
	atomic_dec(&pd->usecnt);
+	uverbs_share_reap(pd, UVERBS_OBJECT_MR);
  ...>
  }

@remove_device@
@@
  ib_uverbs_free_hw_resources(...) {
  ...
+	uverbs_share_remove_device(uverbs_dev);
	uverbs_disassociate_api(uverbs_dev->uapi);
  }

@init@
identifier ret;
@@
  ib_uverbs_init(...) {
  ...
	ret = ib_register_client(&uverbs_client);
	if (ret) { ... }
+	uverbs_share_init();
  ...
  }

@exit@
@@
  ib_uverbs_cleanup(...) {
  ...
	ib_unregister_client(&uverbs_client);
+	uverbs_share_exit();
  ...
  }

@methods@
identifier rc, err;
expression api, dev;
@@
  uverbs_alloc_api(...) {
  <...
	rc = uapi_merge_def(api, dev, dev->driver_def, true);
	if (rc)
		goto err;
+	if (uverbs_share_methods_unused(api, dev)) {
+		rc = uapi_merge_def(api, dev, uverbs_def_share, false);
+		if (rc)
+			goto err;
+	}
  ...>
  }
