import { tokensOf } from '#src/kit/text/tokens.ts'
import { isTerm } from './lexicon.server.ts'

/** Marks that a messenger adds when messages are copied or exported. Digits are 0-9 already (`readable`). */

const MONTH =
  '(?:(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}|(?:ஜன|பிப்|மார்|ஏப்|மே|ஜூன்|ஜூலை|ஆக|செப்|அக்|நவ|டிச)[\\p{L}\\p{M}]{0,8})'
/** A day in figures, with the month's name before or behind it, or by its name. */
const DATE = String.raw`(?:\d{1,4}[./-]\d{1,2}(?:[./-]\d{2,4})?|\d{1,2}(?:\.?[^\S\n]|-)${MONTH}\.?(?:(?:,?[^\S\n]|-)\d{4})?|${MONTH}\.?[^\S\n]\d{1,2}(?:,?[^\S\n]\d{4})?|today|yesterday|(?:mon|tues|wednes|thurs|fri|satur|sun)day|இன்று|நேற்று|(?:திங்கள்|செவ்வாய்|புதன்|வியாழன்|வெள்ளி|சனி|ஞாயிறு)(?:க்?கிழமை)?)`
const HALF = String.raw`(?:[ap]\.?\s?m\b\.?|முற்பகல்|பிற்பகல்|மு\.?\s?ப\b\.?|பி\.?\s?ப\b\.?|காலை|மதியம்|மாலை|இரவு)`
const TIME = String.raw`(?:${HALF}\s?)?\d{1,2}[:.]\d{2}(?::\d{2})?(?:\s?${HALF})?`
const WHEN = String.raw`(?:${DATE}(?:,|[^\S\n]at)?[^\S\n]+${TIME}|${TIME},?\s+${DATE})`
const SENDER = String.raw`[^:\n\[\]]{1,60}:(?=\s|$)`
/**
 * "[4/11, 6:02 pm] Mani: ", "[6:02 pm, 4 Nov 2026] Mani: ", "04/11/2026, 18:02 - Mani: ", "4/11, 6:02 pm Mani: ",
 * "Mani, [04.11.2026 18:02]".
 */
const HEADER = new RegExp(
  String.raw`^[^\S\n]*(?:\[${WHEN}\][^\S\n]*(?:${SENDER})?|${WHEN}[^\S\n]*[-–—][^\S\n]*(?:${SENDER})?|[^\n,]{1,60},\s\[${WHEN}\]:?[^\S\n]*$)`,
  'gimu',
)
/** Without a bracket or a dash, words about an animal may follow the time: "4/11, 6:02 pm Cow price: 65000". */
const BARE_HEADER = new RegExp(String.raw`^[^\S\n]*(${DATE}(,?)\s+${TIME}[^\S\n]+)(${SENDER})`, 'gimu')
const withoutBareHeader = (header: string, _when: string, comma: string, sender: string) => {
  if (!tokensOf(sender).some(isTerm)) return ''
  return comma ? sender : header
}

/** Messages without words of their own, and notes of the messenger. */
const NOTES = [
  String.raw`(?:media|image|photo|video|audio|voice message|sticker|gif|document|contact card)[^\S\n]+omitted`,
  String.raw`(?:படம்|படங்கள்|மீடியா|ஊடகம்|வீடியோ|காணொளி|ஆடியோ|ஒலி|ஸ்டிக்கர்|ஆவணம்)[^\S\n]+(?:தவிர்க்கப்பட்டது|நீக்கப்பட்டது|விடப்பட்டது|சேர்க்கப்படவில்லை)`,
  String.raw`(?:this message was|you) deleted(?: this message)?(?: (?:by|as) admin)?`,
  String.raw`இந்தச?்?[^\S\n]+(?:செய்தி|மெசேஜ்)[^\S\n]+(?:நீக்கப்பட்டது|அழிக்கப்பட்டது)`,
  'this message was edited',
  String.raw`forwarded(?: many times| as received| from [^\n]{1,60})?`,
  String.raw`\[?in reply to [^\n]{1,60}`,
  String.raw`\(?(?:edited|திருத்தப்பட்டது)\)?`,
  String.raw`(?:பல ?முறை[^\S\n]+)?(?:முன்னனுப்பப்பட்டது|ஃபார்வர்டு செய்யப்பட்டது|அனுப்பப்பட்டது|பகிரப்பட்டது|ஃபார்வேர்ட் செய்யப்பட்டது)`,
  String.raw`missed (?:group )?(?:voice|video) call`,
  String.raw`(?:view once )?(?:photo|video|voice message)(?: \(\d+:\d+\))?`,
  String.raw`[^\n]{1,60} added you|your security code with [^\n]+ changed[^\n]*`,
  String.raw`messages and calls are end-to-end encrypted[^\n]*`,
  'waiting for this message[^\\n]*',
  String.raw`[\w\p{L}\p{M}-]+\.(?:jpe?g|png|webp|heic|mp4|opus|pdf|vcf)(?:[^\S\n]+\((?:file attached|கோப்பு இணைக்கப்பட்டுள்ளது)\))?`,
  'null',
  // E-mails have these.
  String.raw`(?:from|to|cc|reply-to):[^\n]*@[^\n]*|(?:date|sent):[^\n]*${TIME}[^\n]*`,
  String.raw`on [^\n]*${TIME}[^\n]* wrote:|sent from my [^\n]{1,40}`,
  '(?:original|(?:begin )?forwarded) message',
].join('|')
const NOTE_LINE = new RegExp(String.raw`^[^\p{L}\p{N}\n]*(?:${NOTES})[^\p{L}\p{N}\n]*$`, 'gimu')
const NOTE_IN_BRACKETS = new RegExp(
  String.raw`[<‹](?:${NOTES}|(?:attached|இணைக்கப்பட்டது):[^>\n]*|[^<>‹\n]{0,20}(?:edited|திருத்தப்பட்டது))[>›]`,
  'giu',
)

/** Quoted lines of another message: "> cow 50000". */
const QUOTED = /^[^\S\n]*>[^\n]*$/gm
/** A figure that another one replaces: "70000 → 65000", "70000❌ 65000✅". */
const REPLACED = /[₹\d][\d,.]*(?:\/-)?[^\S\n]*(?:❌|(?:→|➡️?|=>)(?=[^\S\n]*₹?\d))/gu
/** Struck words do not count: ~85000~, <s>85000</s>, and the combining stroke of 8̶5̶0̶0̶0̶. */
const STRUCK =
  /<(s|del|strike)>[^\n]*?<\/\1>|(?<![\p{L}\p{N}~])(~{1,2})(?=[^\s~])[^~\n]+?(?<=[^\s~])\2(?![\p{L}\p{N}~])|(?:[^\s\u0335\u0336][\u0335\u0336])+/gu
/** *bold*, _italic_ and `code`. */
const STYLED = /(?<![\p{L}\p{N}*_`])([*_]|`{1,3})(?=[^\s*_`]|[*_])([^\n]+?)(?<=\S)\1(?![\p{L}\p{N}])/gu

/** The words that people wrote: without senders, times, placeholders, struck words and marks of style. */
export function withoutChatMarks(text: string): string {
  const words = text
    .replace(HEADER, '')
    .replace(BARE_HEADER, withoutBareHeader)
    .replace(NOTE_IN_BRACKETS, '')
    .replace(NOTE_LINE, '')
    .replace(STRUCK, '')
    .replace(REPLACED, '')
  // Some people begin every line with this sign.
  const unquoted = words.replace(QUOTED, '')
  return (/[\p{L}\d]/u.test(unquoted) ? unquoted : words)
    .replace(STYLED, '$2')
    .replace(STYLED, '$2')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
