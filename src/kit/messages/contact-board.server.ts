import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '#src/kit/db/db.ts'
import { oneRowOf } from '#src/kit/db/rows.server.ts'
import { defaultSettings, type ContactSetting } from '../settings.ts'

export const knownContactShape = z.object({ id: z.number(), value: z.custom<ContactSetting>() })
export type KnownContact = z.output<typeof knownContactShape>

/** SQL for the newest contact row, to select along with other columns; null until an admin has set one. */
export const newestContact = sql`(select json_build_object('id', s.id, 'value', s.value) from settings s where s.key = 'contact' order by s.id desc limit 1)`
/** Its id alone, 0 for none. Enough for a process that already knows that row. */
export const newestContactId = sql`coalesce((select max(s.id) from settings s where s.key = 'contact'), 0)`

/** True until an admin has set both the phone and the mail address; the footer then says that they are samples. */
export const isSampleContact = ({ phone, mail }: ContactSetting): boolean =>
  phone === defaultSettings.contact.phone || mail === defaultSettings.contact.mail

const ContactBoardRow = z.object({ contact: knownContactShape.nullable() })

/**
 * Sandhai's contact details, cached in this process. Pages need no extra query for them: the check for changes before a cached page returns them
 * (page-cache.server.ts), and the session query returns the id of their row. So in every process, a page shows at least the last change that was
 * committed before its request.
 */
export class ContactBoard {
  #known: KnownContact | null = null
  #heardAt = -Infinity
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  get current(): ContactSetting {
    return { ...defaultSettings.contact, ...this.#known?.value }
  }

  /** The time since the database last confirmed them. */
  get ageMs(): number {
    return performance.now() - this.#heardAt
  }

  /** Answers may overtake each other, so an older row never replaces a newer one. */
  hear(row: KnownContact | null): void {
    this.#heardAt = performance.now()
    if (row && row.id >= (this.#known?.id ?? 0)) this.#known = row
  }

  /** Returns the contact details of row `id` or later. Each process reads them once after a change. */
  async atLeast(id: number): Promise<ContactSetting> {
    if (id > (this.#known?.id ?? 0)) {
      const row = await oneRowOf({ db: this.#db }, sql`select ${newestContact} as contact`, ContactBoardRow)
      this.hear(row.contact)
    }
    return this.current
  }
}

/** For messages to people. Runs in the transaction that queues them. */
export async function readContact(db: Db): Promise<ContactSetting> {
  return new ContactBoard(db).atLeast(1)
}
