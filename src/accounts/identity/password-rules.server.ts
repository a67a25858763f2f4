import { createRequire } from 'node:module'
import { invalidField } from '#src/kit/base/problem.ts'

/**
 * Refuses passwords that are easy to guess (safety.md §4.3): the most common, and local patterns such as `jaisriram`, any one word with `@123` or a year, a number, the person's own name, a run of keys. schemas.ts checks the length.
 */

/**
 * First guesses of an attacker who knows the market, the country or the keyboard: also everyday words, gods, heroes and films of Tamil Nadu. A year
 * or a suffix such as `@123` does not help, because they leave too few characters of one's own.
 */
const words = `
  sandhai sandai santhai சந்தை tamilnadu tamizh tamil vivasayi vivasaayi farmer livestock maadu jallikattu password
  passwd passcode pass admin administrator welcome login user root test demo secret hello india indian bharat
  hindustan jaihind vandemataram chennai coimbatore kovai madurai salem erode tirupur trichy mumbai delhi kolkata
  bangalore hyderabad kerala cricket dhoni sachin kohli thala thalapathy jaisriram jaishriram jaishreeram sriram
  shriram omsairam sairam saibaba hariom omnamashivaya omnamahshivaya omshanti omsakthi omshakti krishna radhe
  govinda ganesh ganesha ganapathi vinayaka vinayagar murugan muruga karthik shiva sivan mahadev hanuman bajrangbali
  lakshmi saraswathi durga perumal ayyappa swamy allah bismillah jesus christ amma appa iloveyou ilove love superstar
  rajini vijay ajith suriya kumar rajesh ramesh suresh rahul priya deepak manoj sanjay anand lakshman senthil selvam
  kannan vanakkam vanakam nandri nanri makkal thamizh thamizhan tamilan tamizhan tamilachi kadavul kadavule kaadhal
  kadhal anbu anbe uyire uyir thangam chellam chellakutty kutty thambi annan anna akka thangai nanban nanbargal
  machan machi maapillai mappillai thalaiva thalaivar thalaivan singam puli veeran vetri vettri vetrivel veeravel
  vetrivelmurugan pongal deepavali diwali thaipongal pudhandu saaptacha kaalai malai pasumadu velaan uzhavan
  murugappa kandha kandhan skanda saravana shanmugam shanmuga arumugam subramani subramanian velmurugan velan
  thandayuthapani palani palaniandavar thiruchendur tirupati balaji venkatesa venkateswara narayana narayanan vishnu
  rama raman seetha ranganathar arunachala arunachalam annamalai annamalaiyar sivaya namasivaya namashivaya nataraja
  nataraj meenakshi kamakshi mariamman amman angalamman kaliamman bhadrakali karuppasamy karuppan karuppu sudalai
  muneeswaran muniyandi aiyanar ayyanar meeran velankanni mariyal kattabomman veerapandiya marudhu maruthu theeran
  chinnamalai bharathi bharathiyar bharathidasan periyar kamaraj kamarajar kalaignar karunanidhi mgr puratchi
  jayalalitha annadurai kalam abdulkalam thiruvalluvar valluvar thirukkural avvaiyar rajaraja rajarajan rajendra
  chola cholan chera cheran pandiya pandian pallava velunachiyar pulithevan thiruppur prabhakaran ambedkar gandhi
  nethaji netaji bhagatsingh kabali kaala baasha basha padayappa muthu thalapathi enthiran endhiran sivaji petta
  jailer darbar lingaa vikram vettaiyan vettaikaran ghilli pokkiri thuppakki mersal sarkar bigil theri kaththi leo
  beast mankatha viswasam veeram vedalam billa valimai nayagan naayagan dasavatharam thevarmagan vishwaroopam asuran
  karnan vadachennai polladhavan kaithi ponniyin selvan baahubali bahubali ayirathiloruvan subramaniapuram
  pariyerumperumal jaibhim surya dhanush kamal kamalhaasan rajinikanth sivakarthikeyan வணக்கம் நன்றி வெற்றிவேல் கபாலி
  kangeyam kangayam pungudi umbalachery bargur thanjavur tanjore tirunelveli nellai dindigul thoothukudi tuticorin
  kanyakumari nagercoil pudukkottai ramanathapuram sivagangai virudhunagar namakkal dharmapuri krishnagiri vellore
  thiruvannamalai tiruvannamalai thiruvarur tiruvarur nagapattinam cuddalore villupuram viluppuram ariyalur perambalur
  kallakurichi ranipet tirupattur tenkasi mayiladuthurai chengalpattu kanchipuram nilgiris erumai vellaadu swaminathan
  தலைவா தங்கம் செல்லம் கடவுள் சாமி முருகன் அம்மா அப்பா தமிழ் இந்தியா கடவுச்சொல்
`
  .trim()
  .split(/\s+/)
/** Neighbouring keys, letters and digits; a run follows one of these rows in either direction. */
const rows = [
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  '1234567890',
  'abcdefghijklmnopqrstuvwxyz',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
  '1q2w3e4r5t6y7u8i9o0p',
]
const RUN = 4
/** Minimum letters or digits besides the guessable parts. */
const MIN_OWN_CHARACTERS = 6

const load = createRequire(import.meta.url)
/**
 * The 50,000 most common passwords of eight characters and more: those among the first 100,000 of all, and some after them. About 12 MB,
 * loaded when the first person chooses a password.
 */
const isCommon = (password: string) => (load('fxa-common-password-list') as { test(password: string): boolean }).test(password)

/** VALIDATION when the password is easy to guess. */
export async function ensureUncommon(password: string, person: { phone: string; name?: string }, field = 'password'): Promise<void> {
  if (isGuessable(password, person)) throw invalidField(field, 'field_password_common')
}

export function isGuessable(password: string, { phone, name = '' }: { phone: string; name?: string }): boolean {
  const plain = password.normalize('NFC').toLowerCase()
  const number = phone.slice(-10)
  const nameParts = name
    .normalize('NFC')
    .toLowerCase()
    .split(/\s+/)
    .filter((part) => part.length >= 3)
  if (A_NUMBER.test(plain) || isWordWithTail(plain)) return true
  if (new Set(plain).size < 3 || isCommon(plain) || isCommon(plain.replace(/[^\p{L}\p{N}]/gu, ''))) return true
  const guessed = new Set<number>()
  const guessable = [...words, ...nameParts, number, [...number].reverse().join('')]
  for (const text of [plain, withLetters(plain)]) for (const word of guessable) cover(guessed, text, word)
  for (let start = 0; start < plain.length; start++) {
    const length = runAt(plain, start)
    if (length >= RUN) for (let n = 0; n < length; n++) guessed.add(start + n)
  }
  for (const { index } of plain.matchAll(MOBILE)) for (let n = 0; n < 10; n++) guessed.add(index + n)
  if (guessed.size === 0) return false
  for (const year of plain.matchAll(/(?:19|20)\d\d/g)) for (let n = 0; n < 4; n++) guessed.add(year.index + n)
  const ownCharacters = [...plain].filter((letter, n) => !guessed.has(n) && /[\p{L}\p{N}]/u.test(letter)).length
  return ownCharacters < MIN_OWN_CHARACTERS
}

/** Also a date or a telephone number. */
const A_NUMBER = /^[\d\s+/.-]{0,14}$/
const MOBILE = /[6-9]\d{9}/g

/** One word, whichever it is, and what people append to it. An attacker tries these endings with every word. */
function isWordWithTail(plain: string): boolean {
  const tail = /^[\p{L}\p{M}]{1,30}[^\p{L}\p{N}]*(\d+)[^\p{L}\p{N}]*$/u.exec(plain)?.[1]
  return tail !== undefined && ('1234567890'.startsWith(tail) || /^((19|20)\d\d|(\d)\3+|007|108|786)$/.test(tail))
}

/** Reads `p@$$w0rd` as letters. Replaces one character by one, so that positions stay the same. */
const readAs: Record<string, string> = { '@': 'a', '4': 'a', '3': 'e', '1': 'i', '!': 'i', '0': 'o', $: 's', '5': 's', '7': 't' }
const withLetters = (text: string) => text.replace(/[@431!0$57]/g, (sign) => readAs[sign]!)

function cover(places: Set<number>, text: string, word: string): void {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) for (let n = 0; n < word.length; n++) places.add(at + n)
}

/** Length of the run along the keys, or of one repeated key, that starts here. */
function runAt(text: string, start: number): number {
  let longest = 1
  while (text[start + longest] === text[start]) longest++
  for (const row of [...rows, ...rows.map((each) => [...each].reverse().join(''))]) {
    for (let at = row.indexOf(text[start]!); at !== -1; at = row.indexOf(text[start]!, at + 1)) {
      let length = 1
      while (text[start + length] !== undefined && text[start + length] === row[at + length]) length++
      longest = Math.max(longest, length)
    }
  }
  return longest
}
