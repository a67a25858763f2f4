CREATE TABLE "ready_answers" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ready_answers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"desk" text NOT NULL,
	"text_ta" text NOT NULL,
	"text_en" text NOT NULL,
	"changed_by_id" bigint,
	"changed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "ready_answers_desk" CHECK ("ready_answers"."desk" in ('enquiries', 'reports', 'forum', 'tickets'))
);
--> statement-breakpoint
ALTER TABLE "ready_answers" ADD CONSTRAINT "ready_answers_changed_by_id_users_id_fk" FOREIGN KEY ("changed_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ready_answers_desk" ON "ready_answers" USING btree ("desk","id");--> statement-breakpoint
CREATE INDEX "ready_answers_changed_by" ON "ready_answers" USING btree ("changed_by_id");--> statement-breakpoint
-- What every market begins with; admins change it at /admin/answers.
INSERT INTO "ready_answers" ("desk", "text_ta", "text_en", "changed_at") VALUES
	('enquiries', 'உங்களை அழைத்துப் பேசினோம்.', 'We called you and talked it over.', now()),
	('enquiries', 'உங்கள் தேவை சரிபார்க்கப்பட்டது; விற்பனையாளர்கள் இப்போது பார்க்கிறார்கள்.', 'Your enquiry is genuine; sellers see it now.', now()),
	('enquiries', 'போனில் உங்களைப் பிடிக்க முடியவில்லை. எப்போது அழைக்கலாம் என்று எழுதுங்கள்.', 'We could not reach you by phone. Please write when we can call you.', now()),
	('enquiries', 'எந்தக் கால்நடை, எங்கே வேண்டும் என்று தெளிவாக எழுதுங்கள்.', 'Please say more exactly which animal you look for, and where.', now()),
	('enquiries', 'இது விற்பனைக்கான பதிவு. ‘விற்க’ பக்கத்தில் பதிவிடுங்கள்.', 'This is an offer to sell. Please put it up under Sell.', now()),
	('reports', 'பார்த்தோம்: தவறு எதுவும் இல்லை.', 'Looked at: nothing wrong was found.', now()),
	('reports', 'விற்பனையாளரை அழைத்தோம்: கால்நடை உள்ளது, விற்பனைக்குத்தான்.', 'Called the seller: the animal is there and for sale.', now()),
	('reports', 'விற்பனையாளர் பதிவைத் திருத்திவிட்டார்.', 'The seller has mended the listing.', now()),
	('forum', 'இங்கே யாரையும் இழிவாகப் பேச வேண்டாம்; மரியாதையுடன் எழுதுங்கள்.', 'Please stay friendly: nobody is insulted here.', now()),
	('forum', 'மன்றத்தில் விளம்பரம் வேண்டாம். விற்பதை ‘விற்க’ பக்கத்தில் பதிவிடுங்கள்.', 'No advertising in the forum. What you sell belongs under Sell.', now()),
	('forum', 'முன்பணம் கேட்கிறது: இங்கே அது கூடாது.', 'It asks for money in advance: that is not allowed here.', now()),
	('forum', 'மன்றம் கால்நடை வளர்ப்புக்கானது. இது வேறு பொருள்.', 'The forum is for keeping animals. This is about something else.', now()),
	('tickets', 'உங்களை அழைத்துப் பேசினோம்.', 'We called you and talked it over.', now()),
	('tickets', 'போனில் உங்களைப் பிடிக்க முடியவில்லை. எப்போது அழைக்கலாம் என்று எழுதுங்கள்.', 'We could not reach you by phone. Please write when we can call you.', now()),
	('tickets', 'சரிசெய்துவிட்டோம். மீண்டும் முயலுங்கள்.', 'It is mended. Please try again.', now()),
	('tickets', 'ஆர்டர் எங்கே உள்ளது, யார் கொண்டு வருகிறார் என்பதை ‘ஆர்டர்கள்’ பக்கத்தில் காணலாம்.', 'You see where your order is under Orders, with the number of who brings it.', now()),
	('tickets', 'கால்நடையின் தெளிவான படங்களை அனுப்புங்கள்: பக்கவாட்டில், முன்பக்கம், பல்.', 'Please send clearer photos of the animal: side, front and teeth.', now());
