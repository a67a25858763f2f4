import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '#src/kit/db/database.server.ts'
import { rowsOf } from '#src/kit/db/rows.server.ts'
import { defaultSettings, type ContactSetting } from '#src/kit/settings.ts'

/** A stored setting with the id of its row. */
export const knownContactShape = z.object({ id: z.number(), value: z.custom<ContactSetting>() })
export type KnownContact = z.output<typeof knownContactShape>

/** The newest row, as an SQL value to select along with something else; null until an admin has set anything. */
export const newestContact = sql`(select json_build_object('id', s.id, 'value', s.value) from settings s where s.key = 'contact' order by s.id desc limit 1)`
/** Its id alone, 0 for none: enough for a process that knows that row. */
export const newestContactId = sql`coalesce((select max(s.id) from settings s where s.key = 'contact'), 0)`

/** True until an admin has set both: the footer of the page says so. */
export const isSampleContact = ({ phone, mail }: ContactSetting): boolean =>
  phone === defaultSettings.contact.phone || mail === defaultSettings.contact.mail

const ContactBoardRow = z.object({ contact: knownContactShape.nullable() })

/**
 * The contact details of Sandhai, as this process knows them. No page reads them in a statement of its own: the look for changes that
 * precedes a cached page brings them along (page-cache.server.ts), and the statement that finds a session brings the number of their
 * row. So a page is never older than the last change that was acknowledged before it was asked for, in any process.
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

  /** How long ago the database last confirmed them. */
  get ageMs(): number {
    return performance.now() - this.#heardAt
  }

  /** Answers overtake each other: an older row never takes the place of a newer one. */
  hear(row: KnownContact | null): void {
    this.#heardAt = performance.now()
    if (row && row.id >= (this.#known?.id ?? 0)) this.#known = row
  }

  /** The contact details as of row `id`, or later: each process reads them once after a change. */
  async atLeast(id: number): Promise<ContactSetting> {
    if (id > (this.#known?.id ?? 0)) {
      const rows = await rowsOf({ db: this.#db }, sql`select ${newestContact} as contact`, ContactBoardRow)
      this.hear(rows[0]!.contact)
    }
    return this.current
  }
}

/** For messages to people, in the transaction that queues them. */
export async function readContact(db: Db): Promise<ContactSetting> {
  return new ContactBoard(db).atLeast(1)
}
