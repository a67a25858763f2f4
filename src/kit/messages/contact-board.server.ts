import { sql } from 'drizzle-orm'
import type { Db } from './database.server.ts'
import { defaultSettings, type ContactSetting } from './settings.ts'

/** A setting that was made, by its row. */
export interface KnownContact {
  id: number
  value: ContactSetting
}

/** The newest row, to be asked for beside something else in the same statement; null until an admin has set anything. */
export const newestContact = sql`(select json_build_object('id', s.id, 'value', s.value) from settings s where s.key = 'contact' order by s.id desc limit 1)`
/** Its number alone, 0 for none: whoever knows that row needs no more. */
export const newestContactId = sql`coalesce((select max(s.id) from settings s where s.key = 'contact'), 0)`

/** As long as nobody has set them: the foot of the page says so. */
export const isSampleContact = ({ phone, mail }: ContactSetting): boolean =>
  phone === defaultSettings.contact.phone || mail === defaultSettings.contact.mail

/**
 * How Sandhai is reached, as this process knows it. No page asks for it in a statement of its own: the look for changes that comes
 * before a page for everybody brings it along (page-cache.server.ts), and the statement that finds a session brings the number of its
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

  /** How long ago the database was last heard of it. */
  get ageMs(): number {
    return performance.now() - this.#heardAt
  }

  /** Answers overtake each other: an older row never takes the place of a newer one. */
  hear(row: KnownContact | null): void {
    this.#heardAt = performance.now()
    if (row && row.id >= (this.#known?.id ?? 0)) this.#known = row
  }

  /** As of row `id`, or later: read once by each process after a change. */
  async atLeast(id: number): Promise<ContactSetting> {
    if (id > (this.#known?.id ?? 0)) {
      const { rows } = (await this.#db.execute(sql`select ${newestContact} as contact`)) as unknown as {
        rows: { contact: KnownContact | null }[]
      }
      this.hear(rows[0]!.contact)
    }
    return this.current
  }
}

/** For what is told to people, in the transaction that tells them. */
export async function readContact(db: Db): Promise<ContactSetting> {
  return new ContactBoard(db).atLeast(1)
}
