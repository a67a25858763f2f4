CREATE TABLE "photo_copies" (
	"photo_id" bigint NOT NULL,
	"copy_id" bigint NOT NULL,
	CONSTRAINT "photo_copies_photo_id_copy_id_pk" PRIMARY KEY("photo_id","copy_id")
);
--> statement-breakpoint
CREATE INDEX "photo_copies_copy" ON "photo_copies" USING btree ("copy_id");