import { describe, expect, test } from 'vitest'
import { DAY } from '#src/kit/time-money/dates.ts'
import { testCtx } from '#tools/test-kit/test-ctx.ts'
import { sendForm } from '#tools/test-kit/send-form.ts'
import { action as flagAction } from './flag-page.tsx'
import { newReply, newThread } from './schemas.ts'
import { linksInText } from '#src/kit/text/links-in-text.ts'
import { beginningOf } from './post-view.server.ts'
import { can } from './policy.ts'
import { waitFor, type PostKind, type PostState, type Written } from './rules.ts'

const now = new Date('2026-03-10T10:00:00Z')
const ago = (ms: number) => new Date(now.getTime() - ms)
const SECOND = 1000
const HOUR = 3_600_000

describe('the pause before the next post', () => {
  const nothing: Written = { since: ago(30 * DAY), count: 0, lastAt: null, twentiethAt: null }
  test.each<[string, PostKind, Partial<Written>, number]>([
    ['the first post needs no pause', 'thread', {}, 0],
    [
      'a new person waits after three discussions on the first day',
      'thread',
      { since: ago(4 * HOUR), count: 3, lastAt: ago(HOUR) },
      20 * 3600,
    ],
    ['but may post the third', 'thread', { since: ago(4 * HOUR), count: 2, lastAt: ago(HOUR) }, 0],
    ['a new person waits after ten replies', 'reply', { since: ago(4 * HOUR), count: 10, lastAt: ago(HOUR) }, 20 * 3600],
    ['but may post the tenth', 'reply', { since: ago(4 * HOUR), count: 9, lastAt: ago(HOUR) }, 0],
    ['two minutes between discussions', 'thread', { since: ago(HOUR), count: 1, lastAt: ago(SECOND) }, 119],
    ['half a minute between replies', 'reply', { since: ago(HOUR), count: 1, lastAt: ago(29 * SECOND) }, 1],
    ['fifteen seconds after the first day', 'thread', { since: ago(DAY), count: 3, lastAt: ago(14 * SECOND) }, 1],
    ['five seconds between replies after the first day', 'reply', { since: ago(DAY), count: 10, lastAt: ago(5 * SECOND) }, 0],
    ['twenty discussions in any 24 hours', 'thread', { count: 50, lastAt: ago(HOUR), twentiethAt: ago(23 * HOUR) }, 3600],
    ['discussions do not count for replies', 'reply', { count: 50, lastAt: ago(HOUR), twentiethAt: ago(23 * HOUR) }, 0],
    // One of two concurrent requests may see the other's time in the future.
    ['a post from the next moment counts, too', 'reply', { count: 1, lastAt: ago(-20) }, 6],
  ])('%s', (_, kind, written, wait) => {
    expect(waitFor(kind, { ...nothing, ...written }, now)).toBe(wait)
  })
})

describe('limits ten times as wide', () => {
  const nothing: Written = { since: ago(HOUR), count: 0, lastAt: null, twentiethAt: null }
  test.each<[string, PostKind, Partial<Written>, number]>([
    ['a tenth of the pause', 'thread', { count: 1, lastAt: ago(SECOND) }, 11],
    ['thirty discussions on the first day', 'thread', { count: 29, lastAt: ago(60 * SECOND) }, 0],
    ['and not one more', 'thread', { count: 30, lastAt: ago(60 * SECOND) }, 23 * 3600],
  ])('%s', (_, kind, written, wait) => {
    expect(waitFor(kind, { ...nothing, ...written }, now, 10)).toBe(wait)
  })
})

describe('who sees a post', () => {
  const person = (id: number, typeId = 1) => ({ id, name: 'Selvi', typeId, vetApproved: false, superAdmin: false })
  test.each<[PostState, boolean, boolean, boolean]>([
    ['shown', true, true, true],
    ['review', true, false, true],
    ['hidden', true, false, true],
    ['deleted', false, false, true],
  ])('%s: its author %s, another %s, an admin %s', (state, author, other, admin) => {
    const post = { authorId: 7, state }
    expect([person(7), person(8), person(9, 9)].map((viewer) => can(viewer, 'see-post', post))).toEqual([author, other, admin])
    expect(can(null, 'see-post', post)).toBe(false)
  })

  test('the posts of an erased person belong to nobody', () => {
    expect(can(person(7), 'see-post', { authorId: null, state: 'hidden' })).toBe(false)
  })
})

describe('the text of a post', () => {
  const contentOf = (content: unknown) => {
    const result = newThread.safeParse({ content })
    return result.success ? result.data.content : result.error.issues[0]!.message
  }
  test.each<[unknown, string]>([
    ['', 'field_forum_content_blank'],
    [' \n\t ', 'field_forum_content_blank'],
    ['\u200B\u200D\uFEFF', 'field_forum_content_blank'],
    ['\u3164\u00A0', 'field_forum_content_blank'],
    ['\u2800', 'field_forum_content_blank'],
    ['a\u3164b', 'ab'],
    // Combining marks stacked on a letter would cover other posts.
    ['Z' + '\u0489'.repeat(40), 'Z' + '\u0489'.repeat(4)],
    ['q' + '\u0301\u0302\u200B\u0303\u200D\u0304\u0305', 'q\u0301\u0302\u0303\u0304'],
    ['க்ஷௌ கொள்ளு 1️⃣ 👩🏽‍🌾', 'க்ஷௌ கொள்ளு 1️⃣ 👩🏽‍🌾'],
    [undefined, 'field_forum_content_blank'],
    [7, 'field_forum_content_blank'],
    ['a\u0000b', 'ab'],
    ['a\u0008b', 'ab'],
    ['half \uD83D', 'half'],
    ['மா'.repeat(2501), 'field_forum_content_long'],
    ['x'.repeat(100_000), 'field_forum_content_long'],
    ['  ஆடு \r\nமாடு\r', 'ஆடு \nமாடு'],
    ['🐄', '🐄'],
    // Bidirectional control characters are removed.
    ['https://a.example/\u202Egpj.exe', 'https://a.example/gpj.exe'],
  ])('%j: %s', (content, expected) => {
    expect(contentOf(content)).toBe(expected)
  })

  test('5,000 characters, and 3,000 in a reply, count in any script', () => {
    expect(contentOf('🐄'.repeat(5000))).toBe('🐄'.repeat(5000))
    expect(contentOf('🐄'.repeat(5001))).toBe('field_forum_content_long')
    expect(newReply.safeParse({ reply: 'மா'.repeat(1500) }).success).toBe(true)
    expect(newReply.safeParse({ reply: 'மா'.repeat(1501) }).error?.issues[0]?.message).toBe('field_forum_reply_long')
    expect(newReply.safeParse({ reply: '' }).error?.issues[0]?.message).toBe('field_forum_reply_blank')
  })
})

test('a report after the login expired is refused for that reason, not as a cross-site form', async () => {
  const sent = { viewer: null, params: { kind: 'thread', id: '1' }, fields: { csrf: 'of the session before', reason: 'hate' } }
  expect(await sendForm(testCtx(null as never), flagAction as never, sent)).toBe('AUTH_REQUIRED')
})

describe('a long discussion is cut in the list', () => {
  const ctx = testCtx(null as never, { now })
  const begin = (content: string) =>
    beginningOf(ctx, {
      id: 1,
      author: null,
      content,
      at: now,
      state: 'shown',
      reason: null,
      isOwn: false,
      likes: 0,
      isLiked: false,
      replyCount: 0,
    })

  test('after a whole word; a short one is not cut', () => {
    expect(begin('Fever')).toMatchObject({ content: 'Fever', isCut: false })
    expect(begin(`${'fever '.repeat(66)}vaccination and more`)).toMatchObject({ content: `${'fever '.repeat(66)}…`, isCut: true })
    expect(begin('a'.repeat(5000)).content).toBe(`${'a'.repeat(400)} …`)
  })

  test('before an address: half of it would lead elsewhere', () => {
    for (const words of ['', 'see ', 'see,']) {
      const { content, isCut } = begin(`${words}https://example.org/${'path-'.repeat(300)} and more`)
      expect([linksInText(content).filter(({ href }) => href !== undefined), isCut]).toEqual([[], true])
    }
  })
})
