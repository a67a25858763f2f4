import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { projectRoot } from '#src/kit/base/project-root.server.ts'

const read = (locale: string) => {
  const { $schema: _, ...messages } = JSON.parse(readFileSync(join(projectRoot, `messages/${locale}.json`), 'utf8')) as Record<
    string,
    string
  >
  return messages
}
const ta = read('ta')
const en = read('en')
const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort()

/** Bare imperatives, as one speaks to a child, when they end a text. */
const curt = `சேமி மூடு நீக்கு காட்டு தேடு அனுப்பு கொடு பதிவிடு புதுப்பி மாற்று திருத்து எழுது
  நிறுத்து வெளியேறு வெளியிடு பதிவிறக்கு பயன்படுத்து தொடங்கு திரும்பு சேர் பார் செய் திற எடுத்துவிடு`.split(/\s+/)
/** The width of the search field on a phone of 360 pixels. */
const SEARCH_HINT_LETTERS = 20

describe('every text exists in both languages', () => {
  test('with the same keys', () => {
    expect(Object.keys(ta).sort()).toEqual(Object.keys(en).sort())
  })

  test('once: a second text under the same key would silently replace the first', () => {
    for (const locale of ['ta', 'en']) {
      const text = readFileSync(join(projectRoot, `messages/${locale}.json`), 'utf8')
      const keys = [...text.matchAll(/^ {2}"(\w+)":/gm)].map(([, key]) => key)
      expect(keys.filter((key, n) => keys.indexOf(key) !== n)).toEqual([])
    }
  })

  test('with the same variables', () => {
    for (const key of Object.keys(en)) expect(placeholders(ta[key]!), key).toEqual(placeholders(en[key]!))
  })

  test('Tamil is written in Tamil letters and NFC, English without Tamil letters', () => {
    const sameInBoth = new Set(Object.keys(en).filter((key) => ta[key] === en[key]))
    for (const [key, text] of Object.entries(ta)) {
      expect(text.normalize('NFC'), key).toBe(text)
      if (!sameInBoth.has(key)) expect(text, key).toMatch(/[\u0B80-\u0BFF]/)
    }
    for (const [key, text] of Object.entries(en)) if (!sameInBoth.has(key)) expect(text, key).not.toMatch(/[\u0B80-\u0BFF]/)
  })

  test('Tamil buttons avoid bare imperatives: they name the purpose, as in “to save”', () => {
    const ordersAbout = new RegExp(`(^|[^\\u0B80-\\u0BFF])(${curt.join('|')})[.!?]?$`)
    expect(Object.entries(ta).filter(([, text]) => ordersAbout.test(text))).toEqual([])
  })

  test('the example in a Tamil search field is Tamil and fits the narrowest phone', () => {
    for (const key of ['frame_search_hint', 'forum_search_hint']) {
      expect(ta[key], key).not.toMatch(/[A-Za-z]/)
      expect(ta[key]!.length, key).toBeLessThanOrEqual(SEARCH_HINT_LETTERS)
    }
  })

  test('the refusal of a file asks for nothing that only some forms have, such as a recorder', () => {
    const refusals = Object.keys(en).filter((key) => /^(field_(clip|voice)|sell_(clip|voice)_unread)_?/.test(key))
    expect(refusals.length).toBeGreaterThan(15)
    for (const key of refusals) {
      expect(en[key], key).not.toMatch(/\bhere\b/i)
      expect(ta[key], key).not.toContain('இங்கே')
    }
  })

  test('SMS is spelt as people in Tamil Nadu spell it', () => {
    expect(Object.entries(ta).filter(([, text]) => text.includes('எஸ்எம்எஸ்'))).toEqual([])
  })

  test('the contract with the SMS provider lists each SMS and its variables', () => {
    const contract = readFileSync(join(projectRoot, 'src/kit/messages/msg91.contract.md'), 'utf8')
    const told = [...contract.matchAll(/^\| `([a-z-]+)` \| (.+) \|$/gm)].map(([, name, variables]) => `${name}: ${variables}`)
    const sent = Object.entries(en).flatMap(([key, text]) => {
      const name = /^sms_(.*)/.exec(key)?.[1]?.replaceAll('_', '-')
      // The host at the end of a code's text is part of the registered template.
      const variables = new Set([...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).filter((variable) => variable !== 'domain'))
      return name === undefined ? [] : [`${name}: ${[...variables].join(', ') || '–'}`]
    })
    expect(told).toEqual(sent)
  })

  test('every text is used somewhere', () => {
    const used = new Set(
      sourcesBelow(join(projectRoot, 'src')).flatMap((file) =>
        [...readFileSync(file, 'utf8').matchAll(/(?:\bm\s*\.\s*|'(?=field_))(\w+)/g)].map((match) => match[1]!),
      ),
    )
    expect(Object.keys(en).filter((key) => !used.has(key))).toEqual([])
  })

  test('every text that a schema names exists', () => {
    const named = sourcesBelow(join(projectRoot, 'src')).flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/'(field_\w+)'/g)].map((match) => match[1]!),
    )
    expect(named.length).toBeGreaterThan(5)
    expect(named.filter((key) => en[key] === undefined)).toEqual([])
  })
})

describe('the specification’s messages are used letter for letter', () => {
  test.each([
    [
      'list_empty',
      'Sorry! there are no products in the list that matches your search condition as of now, please try later again or try with other conditions.',
    ],
    ['list_filter_options', 'Filter Options'],
    ['list_filter_results', 'Filter results'],
    ['list_by_category', 'By Category'],
    ['list_by_breed', 'By Breed'],
    ['list_confirm', 'Confirm'],
    ['list_clear', 'Clear'],
    ['missing_title', 'Page Not Found!!'],
    ['missing_home', 'Click here to go to home page!'],
    ['product_info', 'Product Info'],
    ['product_sold_by', 'Sold By'],
    ['product_contact', 'Contact Details'],
    ['product_login_phone', "Login to view Seller's phone number"],
    ['product_login_cart', 'Login to add to cart'],
    ['product_closed', 'Sale Closed'],
    ['product_hurry', 'Hurry! Only {count} left'],
    ['product_few', 'Currently Instock: Only {count} item(s)'],
    [
      'product_delivery_no',
      'Sorry, this Product cannot be delivered, our delivery service is not available in this area now. But you can always contact the seller through phone.',
    ],
    ['product_delivery_unknown', 'This Pincode is not valid. Please try different code.'],
    ['sell_missing', 'Please add details in required fields (marked with *) / upload photo if missing and then try Submitting again'],
    ['field_listing_photos', '*Error: Max 3 files allowed!'],
    ['field_listing_offer', '*Offer price cannot be greater than Original price'],
    ['sell_uploading', 'Uploading images, Please Wait!'],
    ['sell_failure_title', 'Failure during registration!'],
    [
      'sell_failure_text',
      'Sorry! there seems to be some issue while registering your new product for sale. Please contact our team for more details.',
    ],
    ['own_title', 'Listed products'],
    ['own_tab_ordered', 'Ordered'],
    ['own_tab_sold', 'Soldout'],
    ['own_tab_stock', 'Products with available stocks'],
    ['own_logged_out', 'You have not logged in yet!'],
    ['own_empty_ordered', 'Your Ordered list is empty'],
    ['own_empty_sold', 'Your Sold list is empty'],
    ['own_empty_stock', 'Your Product list is empty'],
    ['own_sale_title', 'Tell us about the sale'],
    ['field_review_empty', 'Please add Review rating or Review comments if you want to give 0 rating for this seller before save.'],
    ['review_failed', 'Failed to update Seller review, please try after sometime.'],
    ['product_tab_variant', 'Product Variant detail'],
    ['product_tab_vaccination', 'Livestock Vaccination detail'],
    ['product_tab_vet', 'Veterinary Check Details'],
    ['product_tab_verification', 'Product verification Detail'],
    ['product_related', 'Related Products'],
    ['product_contact_seller', 'Contact Seller'],
    ['problem_auth_required', 'Please login to continue.'],
    ['problem_login_failed', 'Authentication failed. Try resetting password using Forgot password option below!'],
    [
      'field_phone_unknown',
      "This Phone number doesn't exists in our system, Please create your account through New User Registration button!",
    ],
    ['field_phone_blank', 'Phone number cannot be blank'],
    ['field_phone_format', 'Phone number is not in correct format'],
    ['field_password_blank', 'Password cannot be blank'],
    ['field_name_blank', 'Name cannot be blank'],
    ['field_type_blank', 'Type is required'],
    ['field_pan_format', 'Please provide a valid PAN card Number.'],
    ['field_otp_blank', 'OTP cannot be blank'],
    ['field_otp_wrong', 'OTP is not matching'],
    ['cart_title', 'Your Shopping Cart Items'],
    ['cart_empty', 'Your Cart is empty'],
    ['cart_hurry', 'HURRY! Only {count} item(s) left'],
    ['cart_blocked', 'Please remove out-of-stock items to Continue your order'],
    ['cart_continue', 'Continue Order'],
    ['cart_logged_out', 'You have not logged in yet!'],
    ['cart_add', 'Add to cart'],
    ['cart_added_title', 'Congrats! Item added'],
    ['cart_continue_buy', 'Continue Buy'],
    ['cart_view', 'View Mycart'],
    ['cart_add_failed_title', 'Failed to add item'],
    ['cart_add_failed_text', 'Sorry! There seems to be some issue while adding selected item to your cart...'],
    ['confirm_first_discount', 'First Order Discount'],
    ['confirm_referral_discount', 'Referral Discount'],
    ['confirm_delivery_free', 'Your Delivery is FREE!!'],
    ['confirm_payable', 'Total payable'],
    ['confirm_place', 'Place Order'],
    [
      'confirm_no_service',
      "Sorry! We don't have active operation on one of the address placed in your order. You can contact the seller for delivery options.",
    ],
    ['confirm_failed_title', 'Failed to place your order'],
    ['confirm_failed_text', 'Sorry! Failure during your order confirmation, please contact our team.'],
    ['address_buy_title', 'Select your delivery address'],
    ['address_manage_title', 'Manage address'],
    ['address_none', 'No existing address available, Please add a new address below.'],
    ['address_proceed', 'Proceed with this address'],
    ['address_saved', 'Your new address has been saved successfully!'],
    ['address_save_failed', 'Failure on address save, Please try again later/contact our support team for more details.'],
    ['field_address_phone_blank', 'Phone cannot be blank'],
    ['field_address_blank', 'Address cannot be blank'],
    ['field_address_type_blank', 'Address type cannot be blank'],
    ['field_address_pincode_blank', 'Pincode cannot be blank'],
    ['field_address_pincode_format', 'Pincode not valid'],
    ['field_address_pincode_unknown', 'This Pincode is not valid. Please try different code.'],
    ['login_title', 'User Login'],
    ['register_title', 'New User Registration'],
    ['register_otp_title', 'Verify Mobile OTP'],
    ['reset_title', 'Password Reset'],
    ['profile_saved', 'User Profile edit has been saved successfully!'],
    ['profile_save_failed', 'Failure on user profile edit save, Please try again later/contact our support team for more details.'],
    ['profile_picture_failed', 'Failure on user profile image save, Please try again later/contact our support team for more details.'],
    ['menu_profile', 'My Profile'],
    ['menu_addresses', 'Manage Address'],
    ['menu_enquiries', 'View My Enquiries'],
    ['menu_logout', 'SignOut'],
    ['menu_all_orders', 'View Orders'],
    ['menu_listed', 'View Listed Products'],
    ['menu_checkup', 'Livestock Checkup'],
    ['login_remember', 'Remember me'],
    ['login_forgot', 'Forgot Password?'],
    ['login_register', 'New User Registration'],
    ['close', 'Close'],
    [
      'problem_phone_unknown',
      "This Phone number doesn't exists in our system, Please create your account through New User Registration button!",
    ],
  ])('%s', (key, text) => {
    expect(en[key]).toBe(text)
  })
})

describe('Tamil has one word for one thing (docs/glossary.md)', () => {
  const [, table = ''] = readFileSync(join(projectRoot, 'docs/glossary.md'), 'utf8').split('## Tamil: one word for one thing')
  const retired = [...table.matchAll(/^\| [^|]+ \| [^|]+ \| ([^|]+) \|$/gm)]
    .flatMap(([, words]) => words!.split(', '))
    .filter((word) => /[\u0B80-\u0BFF]/.test(word))
  const filesIn = (dir: string, name: RegExp) =>
    readdirSync(join(projectRoot, dir)).flatMap((file) => (name.test(file) ? [`${dir}/${file}`] : []))
  const files = [
    'messages/ta.json',
    ...filesIn('content/ta', /\.mdx$/),
    ...filesIn('src/demo', /^sample-(?!.*test).*\.(ts|json)$/),
    'src/accounts/reference-data.ts',
    'src/listings/reference/reference-data.ts',
    'src/storefront/breeds/breed-facts.json',
    'src/orders/process.server.ts',
  ]
  // The words of the search stay, because people still type the old ones.
  const shownIn = (file: string) => {
    const text = readFileSync(join(projectRoot, file), 'utf8')
    return file === 'src/listings/reference/reference-data.ts'
      ? [...text.matchAll(/\b(?:ta|shortTa): '([^']*)'/g)].map(([, ta]) => ta).join('\n')
      : text
  }
  const startsIn = (text: string, word: string) =>
    text
      .split(word)
      .slice(0, -1)
      .some((before) => !/[\u0B80-\u0BFF]$/.test(before))

  test('the table names the retired words', () => {
    expect(retired).toEqual(expect.arrayContaining(['தரகு', 'செல்பேசி', 'மறுபடி', 'அசல் விலை']))
    expect(startsIn('இது தரகு', 'தரகு')).toBe(true)
    expect(startsIn('தொந்தரவு', 'தரவு')).toBe(false)
  })

  test('no request ends in -வும்: texts ask the reader with -ுங்கள், and buttons name their purpose with -க்க', () => {
    const texts = Object.entries(JSON.parse(shownIn('messages/ta.json')) as Record<string, unknown>)
    const endings = (text: string) => text.match(/[\u0B80-\u0BFF]+வும்(?=\s*(?:[.!?:;)\n]|$))/g) ?? []
    expect(endings('முதலில் செய்தியை ஒட்டவும்.')).toEqual(['ஒட்டவும்'])
    const found = texts.flatMap(([key, text]) => (typeof text === 'string' ? endings(text).map((word) => `${key} ${word}`) : []))
    expect(found.filter((each) => !/ (எதுவும்|மன்னிக்கவும்)$/.test(each))).toEqual([])
  })

  test.each(files)('%s has no retired word', (file) => {
    const text = shownIn(file)
    expect(retired.filter((word) => startsIn(text, word))).toEqual([])
  })
})

function sourcesBelow(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.parentPath.includes('paraglide'))
    .map((entry) => join(entry.parentPath, entry.name))
}
