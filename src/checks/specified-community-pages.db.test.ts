import { beforeAll, describe, expect, test } from 'vitest'
import { eq } from 'drizzle-orm'
import { users } from '#src/accounts/tables.ts'
import { makeEnquiry } from '#src/enquiries/makers.server.ts'
import { makeReply, makeThread } from '#src/forum/makers.server.ts'
import { daysBefore } from '#src/kit/time-money/dates.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { m } from '#src/paraglide/messages.js'
import { textOf, type BuiltSite } from '#tools/test-kit/built-site.ts'
import { sharePages, type PageReader, type Reader } from '#tools/test-kit/page-reader.ts'
import { refusingRows } from '#tools/test-kit/refuse-rows.ts'
import type { TestMarket } from '#tools/test-kit/test-market.ts'

/** B §2 and §8 on the pages that people see, sentence by sentence: header, home, pages of text, profile, enquiries and forum. */
let market: TestMarket
let site: BuiltSite
let pages: PageReader
let buyer: Reader, seller: Reader, admin: Reader
sharePages((opened) => ({ market, site, pages } = opened))
beforeAll(async () => {
  buyer = await pages.person({ name: 'Kavitha', titleId: 2, email: 'kavitha@example.com' })
  seller = await pages.person({ typeId: 2, name: 'Murugesan', isVerified: true })
  admin = await pages.person({ typeId: 9, name: 'Office', superAdmin: true })
})

describe('the header', () => {
  const ways = {
    'My Profile': (id: number) => `/en/userprofile/${id}`,
    'Manage Address': () => '/en/my-addresses',
    'View My Enquiries': () => '/en/my-enquiries',
    SignOut: () => '/en/logout',
  }
  const places = { 'My Orders': '/en/orders', 'View Orders': '/en/orders', 'View Listed Products': '/en/seller-product' }
  const checkup = { 'Livestock Checkup': '/en/vet-verify' }

  test('offers an anonymous visitor the login, My Orders and the forum, and nothing of an account', async () => {
    const { html, linksOf } = await pages.open('/en/support')
    expect(linksOf('Login/register')).toEqual(['/en/login', '/en/login'])
    expect(new Set(linksOf('My Orders'))).toEqual(new Set(['/en/orders']))
    expect(new Set(linksOf('Forum'))).toEqual(new Set(['/en/forum']))
    for (const name of [...Object.keys(ways), 'View Orders', 'View Listed Products', 'Livestock Checkup'])
      expect(linksOf(name), name).toEqual([])
    expect(html).not.toContain('Your bonus')
  })

  test.each([
    [1, ['My Orders'], true],
    [2, ['View Listed Products'], false],
    [3, ['My Orders', 'View Listed Products'], true],
    [4, ['View Listed Products'], false],
    [5, ['My Orders', 'Livestock Checkup'], true],
    [9, ['View Orders', 'View Listed Products'], false],
  ])('offers type %i the account and %j; a bonus: %s', async (typeId, own, hasBonus) => {
    const person = await pages.person({ typeId })
    const { html, linksOf } = await pages.open('/en/support', person)
    const header = html.slice(0, html.indexOf('<main'))
    for (const [name, path] of Object.entries(ways)) expect(linksOf(name), name).toContain(path(person.id))
    for (const [name, path] of Object.entries({ ...places, ...checkup }))
      expect(linksOf(name).includes(path), name).toBe(own.includes(name))
    expect(html.includes('Your bonus: ₹0')).toBe(hasBonus)
    for (const path of ['/en/sell', '/en/add-enquiry', '/en/view-requirements', '/en/buy/0', '/en/my-cart', '/en/forum'])
      expect(header, path).toContain(`href="${path}"`)
    expect(linksOf('Login/register')).toEqual([])
  })
})

test('every kind of page has the shared header, the quick menu and the footer', async () => {
  const paths = [
    '',
    '/buy/0',
    '/sell',
    '/my-cart',
    '/orders',
    '/seller-product/',
    '/my-addresses',
    '/aboutus',
    '/forum',
    '/view-requirements',
  ]
  for (const path of [...paths, `/userprofile/${buyer.id}`, '/no-such-page']) {
    const { html } = await pages.open(`/en${path}`, buyer)
    for (const part of ['<header class="sticky', 'aria-label="Quick menu"', '<footer']) expect(html, `${path}: ${part}`).toContain(part)
  }
})

test('the logout forgets session and referral code, and leads home', async () => {
  const person = await pages.person()
  const { headers } = await pages.post('/en/logout', {}, person)
  expect(headers.get('location')).toBe('/en')
  for (const name of ['__Host-sid', 'refcode']) expect(headers.getSetCookie().join()).toMatch(new RegExp(`${name}=; Max-Age=0`))
  expect((await pages.open('/en/orders', person)).text).toContain('You have not logged in yet!')
})

describe('the home page', () => {
  test('has every section of B §2 in Tamil and in English, and the welcome with its three steps in both', async () => {
    await makeListing(market.ctx, { sellerId: seller.id, nameEn: 'Home bull' })
    const english = await site.open('/en')
    const tamil = await site.open('/')
    for (const title of [
      'Trending now',
      'Top in Market',
      'About Sandhai',
      'Why Sandhai?',
      'How it works',
      'Our Services',
      'Voices from the market',
      'Our goal',
    ])
      expect(english.html, title).toMatch(new RegExp(`>${title.replace('?', '\\?')}<`))
    for (const title of [m.home_trending, m.home_top, m.home_about, m.home_why, m.home_how, m.home_services, m.home_voices, m.home_goal])
      expect(tamil.html).toContain(`>${title({}, { locale: 'ta' })}<`)
    expect(english.html).toContain('No fee or brokerage to look or to list. A commission applies only to sales arranged by Sandhai.')
    // Both languages of the welcome are in each page.
    for (const { html } of [english, tamil])
      for (const words of ['Welcome to Sandhai', 'Back', 'Next', 'Finish', 'Skip', 'சந்தைக்கு வருக!', 'திரும்ப', 'அடுத்து', 'வேண்டாம்'])
        expect(html, words).toContain(words)
  })

  test('keeps the referral code of both addresses at exactly ten characters', async () => {
    for (const [path, code] of [
      ['/en/refcode/ABCDE12345', 'ABCDE12345'],
      ['/en?refcode=ABCDE12345', 'ABCDE12345'],
      ['/en/refcode/ABCDE1234', null],
      ['/en?refcode=ABCDE123456', null],
    ] as const) {
      const { status, headers, html } = await site.open(path, { lang: 'en' })
      expect(status, path).toBe(200)
      expect(html, path).toContain('>Trending now<')
      expect(/refcode=(\w+)/.exec(headers.getSetCookie().join())?.[1] ?? null, path).toBe(code)
    }
  })
})

describe('the pages of text', () => {
  test.each([
    ['aboutus', ['Livestock in India', 'Livestock in Tamil Nadu', 'The problem', 'What we do about it', 'Our goal', 'Help for farmers']],
    ['careers', ['Send your resume by mail']],
    ['privacy-policy', ['Last changed on 27 November 2026', 'This market is for people of 18 and older.']],
    ['coming-soon', ['The service is not enabled in your area.']],
    ['jersey-cattle-sale-coimbatore', ['Jersey cattle sale in Coimbatore', 'What to look at before you buy', 'The price']],
    ['other-services', ['Insurance', 'Fodder']],
    [
      'farm-animals-pets-in-coimbatore',
      [
        'Ask three questions that only the keeper can answer',
        'Compare.',
        'Look first, pay after.',
        'wash and brush it',
        'A photo in daylight',
        'The law, before money changes hands',
        'Whether a buyer is one',
        'An agreement that both can read',
        'How to bargain and stay friends',
      ],
    ],
    [
      'goat-farming-in-coimbatore',
      [
        'What to look at',
        'By weight or by eye?',
        'Ask those who have them before you begin',
        'wash the goat in the morning',
        'three photos in daylight',
        'What the law asks of a goat farm',
        'Which buyer to let into the shed',
        'Put the flock on paper',
        'Bargaining by the kilogram',
      ],
    ],
    [
      'pet-shops-in-coimbatore',
      [
        'Shop, breeder or keeper?',
        'How to know a good shop',
        'See it with its litter.',
        'Wash and brush them',
        'each pup from the side',
        'What the law asks of shop and owner',
        'Who may have your pup',
        'A paper for a friend of fifteen years',
        'Bargaining over a dog',
      ],
    ],
    [
      'indian-milk-cow-breeds-sale',
      [
        'The breeds, one by one',
        'Is she what she is said to be?',
        'From far or from near?',
        'Wash her and trim her hooves',
        'take photos in daylight',
        'Papers that a cow should have',
        'To whom you sell her',
        'The sale in writing',
        'Bargaining by the litre',
      ],
    ],
    ['services', ['Inviting others: up to 5,000 rupees off', 'An approved vet near the animal examines', 'Verified sellers', 'Delivery']],
  ])('%s says what B §2 asks of it', async (slug, words) => {
    const { status, text } = await pages.open(`/en/${slug}`)
    expect(status).toBe(200)
    for (const word of words) expect(text, word).toContain(word)
  })

  test('how it works has nine steps and a flowchart', async () => {
    const { main, text } = await pages.open('/en/how-it-works')
    expect(text).toContain('On the day of delivery our agent checks the animal')
    expect(main.split('<ol').some((list) => list.split('</ol>')[0]!.match(/<li/g)?.length === 9)).toBe(true)
    expect(main).toMatch(/<svg[^>]*(role="img"|aria-label)/)
  })

  test('careers takes resumes by mail; support has three cards with their times', async () => {
    expect((await pages.open('/en/careers')).main).toMatch(/<a [^>]*href="mailto:[^"]+@/)
    const { text, main } = await pages.open('/en/support')
    expect(text).toMatch(/\+91 [\d ]+ Available 24\*7.*Answered within 24 hours.*WhatsApp.*Answered within 6 hours/)
    for (const way of ['tel:', 'mailto:', 'https://wa.me/']) expect(main).toContain(`href="${way}`)
  })

  test('the terms are leaves of a PDF, with a way through them and a download', async () => {
    const first = await pages.open('/en/terms')
    expect(first.main).toMatch(/<img [^>]*src="\/en\/terms\/page\/1/)
    expect(first.main).toMatch(/<a [^>]*href="\/en\/terms\.pdf[^"]*"/)
    const next = first.linksOf('Next')[0]!
    expect((await pages.open(next)).main).toMatch(/<img [^>]*src="\/en\/terms\/page\/2/)
  })

  test('any other path is a 404 with the quoted text and a link home', async () => {
    const { status, text, linksOf } = await pages.open('/en/no-such-page')
    expect(status).toBe(404)
    expect(text).toContain('Page Not Found!!')
    expect(linksOf('Click here to go to home page!')).toEqual(['/en'])
  })
})

describe('the profile', () => {
  test.each([
    [{ typeId: 1 }, 'Buyer', 'External User'],
    [{ typeId: 9 }, 'Admin / staff', 'External User'],
    [{ typeId: 9, isStaff: true }, 'Admin / staff', 'User'],
    [{ typeId: 9, isAdmin: true }, 'Admin / staff', 'Admin'],
    [{ typeId: 9, superAdmin: true }, 'Admin / staff', 'Super Admin'],
  ])('of %j shows every fact that B §2 names', async (facts, type, internal) => {
    const person = await pages.person({ name: 'Kavitha', titleId: 2, email: 'kavitha@example.com', ...facts })
    const { text, main, linksOf } = await pages.open(`/en/userprofile/${person.id}`, person)
    const phone = person.phone.replace(/^\+91(\d{5})/, '+91 $1 ')
    expect(text).toContain(
      `Mrs Kavitha Phone ${phone} E-mail kavitha@example.com User type ${type} Internal user type ${internal} Active Yes`,
    )
    expect(linksOf('Edit Profile')).toEqual([`/en/userprofile/${person.id}?edit=1`])
    expect(main).toMatch(/<form [^>]*multipart\/form-data[\s\S]*<input [^>]*type="file"[^>]*accept="image\/jpeg,image\/png"/)
  })

  test('is edited by title, name, phone with India’s code, e-mail and a type without 0 and 9; saved, it continues', async () => {
    const path = `/en/userprofile/${buyer.id}`
    const { main, tag } = await pages.open(`${path}?edit=1`, buyer)
    expect(tag(/name="titleId"/)).toMatch(/^<select/)
    expect(tag(/id="profile-name"/)).toContain('value="Kavitha"')
    expect(main).toMatch(/\+91<\/span>|>\+91</)
    expect(tag(/id="profile-phone"/)).toContain(`value="${buyer.phone.slice(3)}"`)
    expect(tag(/id="profile-email"/)).toContain('value="kavitha@example.com"')
    expect([...main.matchAll(/<input type="radio"[^>]*name="typeId"[^>]*value="(\d)"/g)].map(([, id]) => id)).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
    ])
    const fields = { act: 'save', name: 'Kavitha Mani', phone: buyer.phone, email: '', titleId: '2', typeId: '1', locale: 'en' }
    const saved = await pages.send(`${path}?edit=1`, fields, buyer)
    expect(saved.text).toContain('User Profile edit has been saved successfully!')
    expect(saved.linksOf('Continue')).toEqual([path])
    expect(saved.text).toContain('Mrs Kavitha Mani')
  })

  test('blocks the save with the quoted texts, and says in the quoted words that the save failed', async () => {
    const path = `/en/userprofile/${buyer.id}?edit=1`
    const blank = await pages.send(path, { act: 'save', name: '', phone: '', typeId: '', locale: 'en' }, buyer)
    for (const error of ['Phone number cannot be blank.', 'User name cannot be blank.', 'Type cannot be blank.'])
      expect(blank.text, error).toContain(error)
    const email = await pages.send(
      path,
      { act: 'save', name: 'Kavitha', phone: buyer.phone, email: 'kavitha@', typeId: '1', locale: 'en' },
      buyer,
    )
    expect(email.text).toContain('This is not an e-mail address.')
    const fields = { act: 'save', name: 'Never stored', phone: buyer.phone, typeId: '1', locale: 'en' }
    const failed = await refusingRows(market, 'users', () => pages.send(path, fields, buyer))
    expect(failed.text).toContain('Failure on user profile edit save, Please try again later/contact our support team for more details.')
    expect(failed.tag(/id="profile-name"/)).toContain('value="Never stored"')
    const [row] = await market.ctx.db.select().from(users).where(eq(users.id, buyer.id))
    expect(row!.name).not.toBe('Never stored')
  })
})

test('an internal type is chosen on the page of a person, by a super admin alone', async () => {
  const path = `/en/admin/users/${seller.id}`
  const { main } = await pages.open(path, admin)
  const radios = main.matchAll(/<input(?=[^>]*type="radio")(?=[^>]*name="internalType")[^>]*value="(\d)"[^>]*>\s*<span[^>]*>([^<]+)</g)
  expect([...radios].map(([, id, name]) => `${id} ${name}`)).toEqual(['0 External User', '1 Staff', '2 Admin', '3 Super admin'])
  const other = await pages.open(path, await pages.person({ typeId: 9 }))
  expect(other.status).toBe(200)
  expect(other.main).not.toContain('name="internalType"')
})

describe('the enquiries', () => {
  const wish = {
    act: 'post',
    key: 'enquiry-0001',
    categoryTypeId: '1',
    categoryId: '1',
    'breed-1': '101',
    description: 'A calm cow in milk',
    requiredCount: '2',
    weightKg: '250.25',
    acceptablePrice: '50,000',
    pincode: '638701',
    postedFor: 'Kavitha',
    contact: '919876543210',
  }

  test('are posted with the quoted success, and missing fields are named in the quoted words', async () => {
    const { text, main, tag } = await pages.open('/en/add-enquiry', buyer)
    for (const type of ['Livestock', 'Pets', 'Accessories', 'Feeds', 'Medicines']) expect(text).toContain(type)
    expect([...main.matchAll(/<option value="(\d+)"[^>]*>(?:\d+|Not decided yet)</g)].slice(-11).map(([, value]) => Number(value))).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0],
    )
    expect(tag(/name="contact"/)).toContain(`value="${buyer.phone.slice(3)}"`)
    const blank = await pages.send('/en/add-enquiry', { act: 'post', key: 'enquiry-0000' }, buyer)
    for (const error of [
      'Please select category type to fill out your requirement.',
      'Please add details about your requirement.',
      'Required count cannot be blank',
      'Weight cannot be blank',
      'Required price cannot be blank',
      'Pincode cannot be blank',
      'Name cannot be blank',
      'Phone cannot be blank',
    ])
      expect(blank.text, error).toContain(error)
    for (const type of ['1', '2'])
      expect((await pages.send('/en/add-enquiry', { ...wish, categoryTypeId: type, categoryId: '' }, buyer)).text).toContain(
        'Please select on which category of livestock you are looking for.',
      )
    const wrong = await pages.send('/en/add-enquiry', { ...wish, contact: '12345', pincode: '63870', weightKg: '0.3' }, buyer)
    for (const error of ['is not in correct format', 'Pincode not valid', 'in steps of a quarter kg (0.25)'])
      expect(wrong.text, error).toContain(error)
    const unknown = await pages.send('/en/add-enquiry', { ...wish, pincode: '999999' }, buyer)
    expect(unknown.text).toContain('This Pincode is not valid. Please try different code.')
    const failed = await refusingRows(market, 'enquiries', () => pages.send('/en/add-enquiry', wish, buyer))
    expect(failed.text).toContain('Sorry, something went wrong on our side.')
    expect(failed.text).not.toContain('Enquiry posted successfully')
    expect(failed.text).toContain('A calm cow in milk')
    const posted = await pages.send('/en/add-enquiry', wish, buyer)
    expect(posted.text).toContain(
      'Enquiry posted successfully. Thanks for posting your requirement, our team will validate your request and list it in our website.',
    )
    expect(posted.path).toMatch(/^\/en\/view-enquiry\/\d+/)
    expect(posted.text).toContain('Pending Verification')
  })

  test.each([
    ['an animal', { categoryTypeId: '1', categoryId: '1' }],
    ['a thing', { categoryTypeId: '3', categoryId: '' }],
  ])('for %s are shown to their poster with every field of the form, under the same labels', async (_, kind) => {
    const form = await pages.open('/en/add-enquiry', buyer)
    const labels = [...form.main.matchAll(/<(label|legend)[^>]*>(.*?)<\/\1>/gs)]
      .map(([, , label]) => textOf(label!).replace('*', '').trim())
      .filter((label) => label !== '')
    const choices = [...form.main.matchAll(/<label[^>]*>(?:(?!<\/label>).)*<input[^>]*type="radio".*?<\/label>/gs)].map(([label]) =>
      textOf(label).trim(),
    )
    // The form asks 'Which of these?' for the category of a thing.
    const others = kind.categoryTypeId === '1' ? [] : ['Breed', 'Gender', 'Age', 'Colour']
    const fields = labels.filter((label) => ![...choices, ...others, 'Which of these?'].includes(label))
    expect(fields.length).toBeGreaterThanOrEqual(8)
    const posted = await pages.send('/en/add-enquiry', { ...wish, ...kind, key: `enquiry-${kind.categoryTypeId}` }, buyer)
    expect(posted.path).toMatch(/^\/en\/view-enquiry\/\d+/)
    expect(fields.filter((label) => !posted.main.includes(label))).toEqual([])
  })

  test('are approved by type 9 with tick and comment, who alone sees the phone; sellers respond by listing', async () => {
    const id = await makeEnquiry(market.ctx, { posterId: buyer.id, isVerified: null, contact: '+919876501234' })
    const path = `/en/view-enquiry/${id}`
    const shown = await pages.open(path, admin)
    expect(shown.text).toContain('+91 98765 01234')
    expect(shown.main).toMatch(/<input [^>]*type="checkbox"/)
    expect(shown.text).not.toContain('Respond')
    const without = await pages.send(path, { act: 'approve', genuine: '1', comment: ' ' }, admin)
    expect(without.text).toContain('Please enter approval comment and save your response.')
    const [, seen] = /name="seen" value="([^"]*)"/.exec(shown.main)!
    const approval = { act: 'approve', genuine: '1', comment: 'Called her.', seen: seen! }
    const unticked = await pages.send(path, { ...approval, genuine: '' }, admin)
    expect(unticked.text).toContain('Tick this once you have made sure that it is genuine.')
    const failed = await refusingRows(market, 'enquiries', () => pages.send(path, approval, admin))
    expect(failed.text).not.toContain('Succesfully approved')
    expect(failed.text).toContain('Called her.')
    const approved = await pages.send(path, approval, admin)
    expect(approved.text).toContain('Succesfully approved requirement request for posting.')
    // A seller of goats may answer for a cow, too.
    await makeListing(market.ctx, { sellerId: seller.id, categoryId: 2, breedId: 201 })
    const { text } = await pages.open(path, seller)
    expect(text).toContain('Respond')
    expect(text).not.toMatch(/98765|Approve/)
    expect((await pages.send(path, { act: 'begin' }, seller)).path).toMatch(/^\/en\/sell\?enquiry=\d+$/)
  })

  test('stand in the list of type 9 with what was asked, in the words of the poster, and how many', async () => {
    const facts = { isVerified: null, genderId: 0, requiredCount: 7, weightKg: 250, description: 'For milk, before Pongal' }
    await makeEnquiry(market.ctx, facts)
    await makeEnquiry(market.ctx, { isVerified: null, requiredCount: 0, description: 'Not sure yet' })
    const { main } = await pages.open('/en/admin/enquiries', admin)
    const row = (words: string) => textOf(main.split('<tr').find((each) => each.includes(words))!)
    for (const fact of ['Kangayam', 'Female', 'at least 250 Kgs', 'How many: 7', '₹80,000']) expect(row('before Pongal')).toContain(fact)
    expect(row('Not sure yet')).toContain('Not decided yet')
  })

  test('are labelled by age and verdict, and greyed when they are over', async () => {
    const poster = await pages.person({ name: 'Ponni' })
    const of = (facts: object) => makeEnquiry(market.ctx, { posterId: poster.id, ...facts })
    const { now } = market.ctx
    await of({ description: 'fresh', isVerified: null })
    await of({ description: 'nine days', createdAt: daysBefore(now, 9) })
    await of({ description: 'ten days', createdAt: daysBefore(now, 10) })
    await of({ description: 'refused', isVerified: false })
    await of({ description: 'closed', closedAt: now })
    await of({ description: 'expired', createdAt: daysBefore(now, 91) })
    const { main } = await pages.open('/en/my-enquiries', poster)
    const card = (words: string) => main.split('<article').find((each) => each.includes(`>${words}<`))!
    const labels = (words: string) =>
      textOf(`<x ${card(words)}`).match(/NEW ENQUIRY|WANTED|Not Verified|Pending Verification|Verified|Closed/g)
    expect(labels('fresh')).toEqual(['NEW ENQUIRY', 'Pending Verification'])
    expect(labels('nine days')).toEqual(['NEW ENQUIRY', 'Verified'])
    expect(labels('ten days')).toEqual(['WANTED', 'Verified'])
    expect(labels('refused')).toEqual(['NEW ENQUIRY', 'Not Verified'])
    expect(labels('closed')).toEqual(['NEW ENQUIRY', 'Verified', 'Closed'])
    expect(card('expired')).toMatch(/^[^>]*bg-husk-dark/)
    const onBoard = (await pages.open('/en/view-requirements', seller)).main.split('<article').find((each) => each.includes('>closed<'))!
    expect(onBoard).toMatch(/^[^>]*bg-husk-dark[^>]*cursor-not-allowed/)
    expect(textOf(`<x ${onBoard}`)).toContain('Verified')
  })

  test('have the list Wanted and one’s own; without any the quoted text, without a login the prompt', async () => {
    expect((await pages.open('/en/view-requirements', seller)).main).toMatch(/<h1[^>]*>Wanted</)
    const own = await pages.open('/en/my-enquiries', await pages.person())
    expect(own.text).toContain('Sorry! there are no enquiries open as of now, please try again later.')
    expect((await pages.open('/en/view-requirements?district=Karur', seller)).text).toContain(
      'Sorry! there are no enquiries open as of now, please try again later.',
    )
    for (const path of ['/en/add-enquiry', '/en/view-enquiry/1', '/en/my-enquiries', '/en/view-requirements']) {
      const { linksOf, text } = await pages.open(path)
      expect(linksOf('Log in here')[0], path).toMatch(/^\/en\/login\?next=/)
      expect(text, path).not.toContain('A calm cow')
    }
  })
})

describe('the forum', () => {
  const notice = 'Content violating community guidelines (hate speech, explicit material, harassment) will be removed.'

  test('lists discussions with the form to start one and the notice; without a login only notice and prompt', async () => {
    await makeThread(market.ctx, { authorId: seller.id, content: 'How much does a calf drink?' })
    const { text, main } = await pages.open('/en/forum', buyer)
    expect(text).toContain(notice)
    expect(text).toContain('How much does a calf drink?')
    expect(text).toContain('Like')
    expect(main).toMatch(/<textarea [^>]*name="content"/)
    const anonymous = await pages.open('/en/forum')
    expect(anonymous.text).toContain(notice)
    expect(anonymous.text).toContain('You have not logged in yet!')
    expect(anonymous.text).not.toContain('How much does a calf drink?')
  })

  test('has replies with their form and the way back, only after a login', async () => {
    const id = await makeThread(market.ctx, { authorId: seller.id, content: 'Which fodder is best?' })
    await makeReply(market.ctx, { threadId: id, authorId: buyer.id, content: 'Co-4, cut early.' })
    const path = `/en/forum/thread/${id}/replies`
    const { text, main, linksOf } = await pages.open(path, seller)
    expect(text).toContain('Co-4, cut early.')
    expect(main).toMatch(/<textarea [^>]*name="(reply|content)"/)
    expect(linksOf('Back to the forum')).toEqual(['/en/forum'])
    const anonymous = await pages.open(path)
    expect(anonymous.text).toContain('You have not logged in yet!')
    expect(anonymous.text).not.toContain('Co-4')
  })

  test('refuses blank words in the quoted texts, and says in the quoted text that it could not share', async () => {
    const id = await makeThread(market.ctx, { authorId: seller.id })
    expect((await pages.send('/en/forum', { act: 'thread', content: '  \n ' }, buyer)).text).toContain(
      'Discussion Content cannot be blank.',
    )
    const replies = `/en/forum/thread/${id}/replies`
    expect((await pages.send(replies, { act: 'reply', content: ' ', reply: ' ' }, buyer)).text).toContain('Reply cannot be blank.')
    const failed = await refusingRows(market, 'threads', () =>
      pages.send('/en/forum', { act: 'thread', content: 'My cow does not eat.' }, buyer),
    )
    expect(failed.text).toContain('Failed to share your discussion content, Please try again after sometime.')
    expect(failed.text).toContain('My cow does not eat.')
  })
})
