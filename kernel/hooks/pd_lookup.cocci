// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
// Commands that look a PD up unlock the uobject that they looked up.  The
// existing code unlocks pd->uobject: for a PD with several handles another one.

@lookup exists@
identifier f;
expression PD, id, attrs;
@@
f(...) {
<+...
PD = uobj_get_obj_read(pd, UVERBS_OBJECT_PD, id, attrs);
...+>
}

@declare@
identifier lookup.f;
@@
f(...) {
+	struct ib_uobject *pd_uobj = NULL;
...
}

@get@
expression PD, id, attrs;
@@
-	PD = uobj_get_obj_read(pd, UVERBS_OBJECT_PD, id, attrs);
+	pd_uobj = uobj_get_read(UVERBS_OBJECT_PD, id, attrs);
+	PD = _uobj_get_obj_read(pd_uobj);

@put@
identifier lookup.f;
idexpression struct ib_pd *PD;
@@
f(...) {
<...
-	uobj_put_obj_read(PD);
+	uobj_put_read(pd_uobj);
...>
}
