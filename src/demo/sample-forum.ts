import { makeReply, makeThread } from '../forum/makers.server.ts'
import { flags, threadLikes, type FLAG_REASONS } from '../forum/tables.ts'
import type { Ctx } from '../kit/context.ts'
import { daysBefore } from '#src/kit/time-money/dates.ts'

// The sample market's forum: answered, liked, reported and pending posts.

interface SampleThread {
  /** The key of a sample person. */
  by: string
  words: string
  daysAgo: number
  /** The post waits for an admin; all others are public. */
  waits?: true
  likedBy?: string[]
  replies?: { by: string; words: string; daysAgo: number }[]
  flag?: { by: string; reason: (typeof FLAG_REASONS)[number]; comment: string }
}

export const sampleThreads: SampleThread[] = [
  { by: 'kavitha', daysAgo: 6, likedBy: ['murugesan', 'selvi', 'jeyanthi', 'thangavel'],
    words: 'என் கறவை மாட்டுக்கு இரண்டு நாளாகக் காய்ச்சல், தீவனமும் எடுக்கவில்லை. மருத்துவர் வரும் வரை என்ன செய்யலாம்?',
    replies: [
      { by: 'drmeena', daysAgo: 6, words: 'நிழலில் கட்டுங்கள், சுத்தமான தண்ணீர் நிறைய வையுங்கள். நீங்களாக ஊசி போட வேண்டாம். கால்நடை ஆம்புலன்ஸை 1962 என்ற எண்ணில் அழைக்கலாம்.' },
      { by: 'jeyanthi', daysAgo: 5, words: 'எங்கள் மாட்டுக்கும் மழைக்குப் பிறகு இப்படி இருந்தது. மருத்துவர் பார்த்த மூன்றாம் நாள் சரியானது.' },
      { by: 'kavitha', daysAgo: 4, words: 'நன்றி. மருத்துவர் வந்து பார்த்தார், இப்போது தேறிவிட்டது.' },
    ] },
  { by: 'suresh', daysAgo: 3, likedBy: ['mary', 'ravi'],
    words: 'I want to buy my first two goats, Salem Black or Kodi. I have a quarter of an acre with a fence near Mettur. Which of them is easier for a beginner, and what should I look at before I pay?',
    replies: [
      { by: 'chinnasamy', daysAgo: 3, words: 'Salem Black, if you are near Mettur: the people around you know it. Look at the teeth, the eyes and the droppings, and see it walk. Pay when it stands in front of you.' },
      { by: 'drarun', daysAgo: 2, words: 'Ask for the vaccination dates, PPR and enterotoxaemia above all, and keep new ones apart for two weeks.' },
    ] },
  { by: 'palani', daysAgo: 9, likedBy: ['govindan', 'esakki', 'thangavel'],
    words: 'அசோலா வளர்த்து மாட்டுக்குக் கொடுப்பவர்கள் இருக்கிறீர்களா? பால் கூடுகிறதா, செலவு எவ்வளவு ஆகிறது?',
    replies: [
      { by: 'thangavel', daysAgo: 8, words: 'நான் இரண்டு தொட்டியில் வளர்க்கிறேன். தவிட்டோடு ஒரு கிலோ கலந்து கொடுக்கிறேன். தீவனச் செலவு குறைந்தது; பால் கொஞ்சம் கூடியது.' },
    ] },
  { by: 'deepa', daysAgo: 1, likedBy: ['kavitha'],
    words: 'வீட்டுக்குப் பின்னால் பத்து சிறுவிடைக் கோழி வளர்க்க எவ்வளவு இடம் வேண்டும்? இரவில் அடைக்கக் கூண்டு எப்படி இருக்க வேண்டும்?' },
  { by: 'karthik', daysAgo: 0,
    words: 'Is anybody going to the Kannapuram shandy this year? I would like to see the Kangayam bulls there and need a lift from Erode.' },
  { by: 'ibrahim', daysAgo: 2, words: 'குறைந்த விலையில் எல்லா மருந்தும் கிடைக்கும், உடனே பணம் அனுப்பினால் வீட்டுக்கே வரும்!!!',
    flag: { by: 'mary', reason: 'fraud', comment: 'முன்பணம் கேட்கிறார்; மருந்து விற்க இங்கே அனுமதி இல்லை.' } },
  { by: 'ravi', daysAgo: 0, waits: true, words: 'Cheap cattle loans for everybody, ask me' },
] // oxfmt-ignore

/** `people` is by sample key. */
export async function addSampleForum(ctx: Ctx, people: Map<string, number>): Promise<void> {
  const id = (key: string) => people.get(key)!
  for (const { by, words, daysAgo, waits, likedBy = [], replies = [], flag } of sampleThreads) {
    const createdAt = daysBefore(ctx.now, daysAgo)
    const state = waits ? 'review' : 'shown'
    const threadId = await makeThread(ctx, { authorId: id(by), content: words, state, createdAt, likesCount: likedBy.length })
    for (const key of likedBy) await ctx.db.insert(threadLikes).values({ threadId, userId: id(key), createdAt })
    for (const reply of replies)
      await makeReply(ctx, { threadId, authorId: id(reply.by), content: reply.words, createdAt: daysBefore(ctx.now, reply.daysAgo) })
    if (flag) await ctx.db.insert(flags).values({ reporterId: id(flag.by), threadId, reason: flag.reason, comment: flag.comment })
  }
}
