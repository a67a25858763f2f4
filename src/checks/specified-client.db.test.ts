import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { users } from '#src/accounts/tables.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import type { OutboxWorker } from '#src/kit/messages/outbox.server.ts'
import { codeSentTo, startTestOutbox } from '#tools/test-kit/test-auth-client.ts'
import { shareTestApp, type TestApp } from '#tools/test-kit/test-app.ts'
import { TestBrowser } from '#tools/test-kit/test-browser.ts'
import { forgetSends, newPhone, PASSWORD } from '#tools/test-kit/test-people.ts'
import { picture } from '#tools/test-kit/test-sale.ts'

/**
 * A client that knows A §7 and B §7 and nothing else: their paths and payloads letter for letter, without any field, call or order of steps that only
 * our own documents ask for. It goes through both documents. decisions.md changes three answers: the code comes by SMS alone (§2), a vet
 * waits for approval (§2), and another person's id is refused (§2).
 */
let app: TestApp
let outbox: OutboxWorker
shareTestApp((opened) => (app = opened), { rateLimitFactors: { address: 1000, user: 1000 } })
beforeAll(async () => {
  outbox = startTestOutbox(app.ctx)
})
afterAll(async () => {
  await outbox?.stop()
})

type Json = Record<string, unknown>
interface Row {
  id: number
  [field: string]: unknown
}
interface Category {
  id: number
  breeds: { id: number; name: string }[]
  vaccines: { id: number }[]
  name: string
}

/** One person's browser: a cookie jar, and the calls of the two tables. */
class Client {
  readonly #browser = new TestBrowser(app)
  id = 0
  phone = ''

  async send(method: string, path: string, json?: unknown): Promise<Response> {
    const response = await this.#browser.call(method, path, json)
    expect(response.ok, `${method} ${path}: ${response.status} ${response.ok ? '' : await response.clone().text()}`).toBe(true)
    return response
  }
  async get<T>(path: string): Promise<T> {
    return (await (await this.send('GET', path)).json()) as T
  }
  async post<T = Row>(path: string, body?: Json): Promise<T> {
    return (await (await this.send('POST', path, body)).json()) as T
  }
  async put<T = Row>(path: string, body?: Json): Promise<T> {
    return (await (await this.send('PUT', path, body)).json()) as T
  }
  async upload(path: string, fields: Record<string, number>, name: string, count: number): Promise<void> {
    const form = new FormData()
    for (const [field, value] of Object.entries(fields)) form.set(field, String(value))
    for (let n = 0; n < count; n++) form.append(name, new File([new Uint8Array(await picture(this.id * 100 + n))], `${n}.jpg`))
    const cookie = Object.entries(this.#browser.cookies).map(([key, value]) => `${key}=${value}`)
    const headers = { cookie: cookie.join('; '), 'X-CSRFToken': this.#browser.cookies['__Host-csrf']! }
    const response = await app.call(`/api/v1${path}`, { method: 'POST', form, headers, address: this.#browser.address })
    expect(response.ok, `${path}: ${response.status} ${await response.clone().text()}`).toBe(true)
  }
  async refused(method: string, path: string, json?: unknown): Promise<string> {
    return this.#browser.says(method, path, json)
  }
}

const iso = () => new Date().toISOString()

/** A §7: POST /user, then PUT /userprofile with the same fields and the code. */
async function register(
  usertype: number,
  more: { userdegree?: string; sellerpannumber?: string; loginreferralcode?: string } = {},
): Promise<Client> {
  const client = new Client()
  client.phone = newPhone()
  const form = {
    password: PASSWORD,
    phone: client.phone,
    username: 'Selvi',
    userdegree: '',
    title: 2,
    usertype,
    sellerpannumber: '',
    loginreferralcode: '',
    ...more,
  }
  const { id } = await client.post('/user', form)
  const otp = await codeSentTo(app.ctx, client.phone)
  expect(await client.put(`/userprofile/id=${id}`, { ...form, otp, verify_otp: true })).toEqual({ rows: 1 })
  client.id = (await client.post('/validatesession')).id
  return client
}

async function admin(): Promise<Client> {
  const client = await register(1)
  await app.ctx.db.update(users).set({ typeId: 9 }).where(eq(users.id, client.id))
  return client
}

/** B §7: POST /user-address. */
const addressOf = ({ phone, id: user }: Client) => ({
  name: 'Farm',
  address_1: '4/17 Temple Street',
  address_2: 'Main Road',
  type: 2,
  city: 'Tiruppur',
  state: 'Tamil Nadu',
  pincode: '638701',
  isdeliverable: true,
  phone,
  user,
})
const addAddress = async (client: Client) => (await client.post(`/user-address/user=${client.id}`, addressOf(client))).id

/** A §7: POST /product, then POST /productimages. Returns the number that the list shows. */
async function list(
  seller: Client,
  pickup: number,
  { id: category, name, breeds, vaccines }: Category,
  { price = 8500, offer = 0, gender = 0, doses = 1 } = {},
): Promise<number> {
  const isCattle = category === 1
  const { productVariantId } = await seller.post<{ productVariantId: number }>('/product', {
    product: {
      name: `${breeds[0]!.name} ${category}`,
      description: 'Calm and healthy.',
      seller: seller.id,
      categorytype: category === 5 ? 2 : 1,
      categorytypename: category === 5 ? 'Pets' : 'Livestock',
      category,
      categoryname: name,
      breed: breeds[0]!.id,
      breedname: breeds[0]!.name,
      pickup,
      created_by: seller.id,
    },
    product_variant: [
      {
        age: 3,
        gender,
        feedtype: 2,
        stock: 3,
        adult_teeth_pair_count: isCattle ? 8 : 0,
        original_price: price,
        offer_price: offer,
        weight: 20.5,
        color: 6,
        is_pregnant: isCattle ? 10 : 0,
        milk_produce_per_Day: isCattle ? 8.5 : 0,
        no_of_offsprings: 0,
      },
    ],
    vaccines: vaccines
      .slice(0, category === 5 ? 0 : doses)
      .map(({ id }) => ({ vaccine: id, completed_dose: 2, vaccinated_on: '2026-05-04' })),
  })
  await seller.upload('/productimages', { product: productVariantId }, 'images', 2)
  const [newest] = await seller.get<Row[]>(`/sellerproducts/seller=${seller.id}&type=2&getitems=instock&top=0`)
  return newest!.id
}

const verify = (by: Client, id: number, is_verified: boolean) =>
  by.put(`/update-product/id=${id}&quantity=0&sold=false&issandhaisale=false`, { is_verified, comment: 'Photos and price fit.' })
const shown = async (by: Client, id: number) => (await by.get<Row[]>(`/product/id=${id}`))[0]!
const listed = async (by: Client, category = 0) =>
  (await by.get<Row[]>(`/product-detail-list/${encodeURIComponent(`top=0&category=${category}&page=buy`)}`)).map(({ id }) => id)

describe('a client written from the specifications alone', () => {
  let seller: Client, buyer: Client, vet: Client, office: Client
  let species: Category[]
  let pickup: number

  test('registers people of each kind, logs in, and resets a password', async () => {
    const anybody = new Client()
    const types = await anybody.get<Row[]>('/user-type')
    expect(types.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5])
    expect((await anybody.get<{ title: string }[]>('/user-title')).length).toBeGreaterThan(0)
    buyer = await register(1)
    seller = await register(2, { sellerpannumber: 'ABCDE1234F' })
    const { referralcode } = await seller.post<{ referralcode: string }>('/validatesession')
    await register(3, { loginreferralcode: referralcode })
    await register(4, { sellerpannumber: 'ABCDE1234G' })
    vet = await register(5, { userdegree: 'B.V.Sc. & A.H.' })
    expect(await vet.refused('POST', '/livestock-veterinary-check', { product: 1, veterinary: vet.id })).toBe('403 VET_NOT_APPROVED')
    await app.ctx.db.update(users).set({ vetApproved: true }).where(eq(users.id, vet.id))
    office = await admin()
    expect(await anybody.refused('POST', '/user', { username: 'Selvi' })).toBe('422 VALIDATION')

    const session = await anybody.post('/login', { username: buyer.phone, password: PASSWORD })
    expect(session).toMatchObject({ id: buyer.id, name: 'Selvi', phone: buyer.phone, usertype: 1 })
    expect(session.referralcode).toMatch(/^.{10}$/)
    expect(await new Client().refused('POST', '/login', { username: buyer.phone, password: 'wrong' })).toBe('401 LOGIN_FAILED')

    await forgetSends(app.ctx)
    const forgetful = new Client()
    const asked = await forgetful.send('PATCH', `/init-forgot-password/userphone=${buyer.phone}`)
    expect(await asked.json()).toEqual({ otp: '', otp_length: 6, expires_in: 600, resend_after: 60 })
    const otp = await codeSentTo(app.ctx, buyer.phone)
    const changed = await forgetful.send('PATCH', `/reset-password/userphone=${buyer.phone}`, { otp, password: `${PASSWORD} 2` })
    expect(await changed.json()).toMatchObject({ id: buyer.id, usertype: 1 })
    const again = await buyer.post('/login', { username: buyer.phone, password: `${PASSWORD} 2` })
    expect(await buyer.post('/validatesession')).toMatchObject({ ...again, name: 'Selvi', phone: buyer.phone, usertype: 1 })
  })

  test('lists one animal of each species; an admin passes or fails them', async () => {
    const types = await seller.get<{ id: number; categories: Category[] }[]>('/category-type')
    species = types.flatMap(({ categories }) => categories).filter(({ id }) => id <= 6)
    expect(species.map(({ id }) => id).sort()).toEqual([1, 2, 3, 4, 5, 6])
    for (const path of ['/livestock-age', '/livestock-color', '/livestock-gender', '/address-type', '/deliverable-pincodes'])
      expect((await seller.get<unknown[]>(path)).length).toBeGreaterThan(0)
    expect(await seller.get('/recommendprice')).toMatchObject({ recommendedOfferpercent: 0, profitmargin: 5 })
    pickup = await addAddress(seller)
    const saved = {
      name: 'Farm',
      address_1: '4/17 Temple Street',
      address_2: 'Main Road',
      city: 'Tiruppur',
      state: 'Tamil Nadu',
      pincode: '638701',
    }
    expect(await seller.get(`/user-address/user=${seller.id}`)).toMatchObject([
      { id: pickup, address: { ...saved, type: 2, phone: seller.phone } },
    ])
    expect((await seller.get<Row>(`/user-delivery-address/id=${pickup}`)).id).toBe(pickup)

    const ids: number[] = []
    for (const each of species) ids.push(await list(seller, pickup, each))
    expect(new Set(ids).size).toBe(6)
    expect(await listed(buyer)).toEqual([])
    for (const id of ids) expect(await verify(office, id, id !== ids[3])).toEqual({ rows: 1 })
    const live = ids.filter((id) => id !== ids[3])
    expect((await listed(buyer)).sort((a, b) => a - b)).toEqual(live)
    for (const [n, { id }] of species.entries()) expect(await listed(buyer, id)).toEqual(n === 3 ? [] : [ids[n]])
    expect(await shown(seller, ids[3]!)).toMatchObject({ is_verified: false, verification_comment: 'Photos and price fit.' })

    const cow = await shown(buyer, ids[0]!)
    expect(cow).toMatchObject({ is_verified: true, is_sold: false, seller: { id: seller.id, phone: seller.phone } })
    expect((cow.product_variant as Json[])[0]).toMatchObject({
      adult_teeth_pair_count: 8,
      is_pregnant: 10,
      milk_produce_per_Day: 8.5,
      stock: 3,
    })
    expect((await shown(new Client(), ids[0]!)).seller).not.toMatchObject({ phone: seller.phone })
    const trending = await buyer.get<Row[]>(`/product-detail-list/${encodeURIComponent('top=12&category=0&page=home')}`)
    expect(trending.length).toBeGreaterThan(0)
    const viewsOf = async () => ((await shown(buyer, ids[0]!)).product_viewed as Json).viewcount as number
    const before = await viewsOf()
    await buyer.post(`/product-access-detail/id=${ids[0]}`)
    expect(await viewsOf()).toBe(before + 1)
    expect(await buyer.refused('PUT', `/update-product/id=${ids[0]}&quantity=1&sold=false&issandhaisale=false`, { weight: 1 })).toMatch(
      /^40[34]/,
    )
  })

  test('a vet checks an animal without any step before', async () => {
    const [goat] = (await vet.get<Row[]>('/vet-productlist/checkcomplete=false&top=0')).filter(({ name }) => String(name).endsWith(' 2'))
    const check = {
      product: goat!.id,
      veterinary: vet.id,
      checked_on: indianDay(new Date()),
      is_vet_approved: true,
      vet_comments: 'Sound.',
    }
    await vet.post('/livestock-veterinary-check', check)
    const done = await vet.get<Row[]>('/vet-productlist/checkcomplete=true&top=0')
    expect(done.map(({ id }) => id)).toEqual([goat!.id])
    expect((await buyer.get<Row[]>('/product-top/top=4')).map(({ id }) => id)).toEqual([goat!.id])
    expect((await shown(buyer, goat!.id)).veterinary_check).toMatchObject([
      { is_vet_approved: true, vet_comments: 'Sound.', veterinary_degree: 'B.V.Sc. & A.H.' },
    ])
  })

  test('a male with an offer and two vaccines is listed, and a vet does not approve it', async () => {
    const goat = species.find(({ id }) => id === 2)!
    const id = await list(seller, pickup, goat, { offer: 8000, gender: 1, doses: 2 })
    await verify(office, id, true)
    const check = { product: id, veterinary: vet.id, checked_on: indianDay(new Date()), is_vet_approved: false, vet_comments: 'It limps.' }
    await vet.post('/livestock-veterinary-check', check)
    const { product_variant, vaccinated, veterinary_check } = await shown(buyer, id)
    expect(product_variant).toMatchObject([{ gender: { id: 1 }, original_price: 8500, offer_price: 8000 }])
    expect(vaccinated).toHaveLength(2)
    expect(veterinary_check).toMatchObject([{ is_vet_approved: false, vet_comments: 'It limps.' }])
    await seller.put(`/update-product/id=${id}&quantity=0&sold=true&issandhaisale=false`)
  })

  test('a buyer reviews the seller on the first day', async () => {
    const review = { reviewrating: 4, reviewcomment: 'Answers at once.', seller: seller.id, postedby: buyer.id, createon: iso() }
    await buyer.post('/sellerrating', review)
    const [animal] = await listed(buyer)
    expect((await shown(buyer, animal!)).seller).toMatchObject({ id: seller.id, seller_reviews: { average: 4, count: 1 } })
    // The specifications name no call that lists reviews; this one is ours, with their field names.
    const reviews = await buyer.get<Json[]>(`/sellerrating/seller=${seller.id}`)
    expect(reviews).toMatchObject([{ reviewrating: 4, reviewcomment: 'Answers at once.', seller: seller.id, postedby: buyer.id }])
    expect(await buyer.refused('POST', '/sellerrating', { ...review, postedby: seller.id })).toBe('403 IDENTITY_MISMATCH')
  })

  test('a buyer orders; an admin moves the order along, the buyer cancels another; both sides get their invoice', async () => {
    const [first, second] = await listed(buyer)
    for (const product of [first!, second!]) {
      const line = { buyer: buyer.id, product, items_count: 1, total_payable: 0 }
      expect(await buyer.post(`/buyercart/buyer=${buyer.id}`, line)).toMatchObject({ rows: 1 })
    }
    const cart = await buyer.get<Row[]>(`/buyercart/buyer=${buyer.id}`)
    expect(cart).toHaveLength(2)
    const line = cart.find(({ product }) => (product as Row).id === first)!
    await buyer.put(`/order-detail/id=${line.id}`, { buyer: buyer.id, product: first, items_count: 2, total_payable: 0 })
    const counts = (await buyer.get<Row[]>(`/buyercart/buyer=${buyer.id}`)).map(({ id, items_count }) => [id, items_count])
    expect(counts).toContainEqual([line.id, 2])
    const address = await addAddress(buyer)
    const discount = { typeid: expect.any(Number), discount_percent: expect.any(Number), max_discount_rupees: expect.any(Number) }
    expect(await buyer.get(`/userdiscount/buyer=${buyer.id}&code=`)).toMatchObject(discount)
    const placed = await buyer.put<{ rows: number; orders: Row[] }>(`/confirm-order/buyer=${buyer.id}&address=${address}&code=`)
    expect(placed.rows).toBe(2)
    expect(await buyer.get(`/buyercart/buyer=${buyer.id}`)).toEqual([])

    const orders = await buyer.get<Row[]>(`/order/buyer=${buyer.id}&type=1`)
    const delivered = orders.find(({ product }) => (product as Row).id === first)!
    const cancelled = orders.find(({ product }) => (product as Row).id === second)!
    expect(delivered).toMatchObject({ items_count: 2, price_per_item: 8500, total_payable: expect.any(Number), statusId: 1 })
    const names = await office.get<{ id: number; name: string }[]>('/order-status')
    expect(names.find(({ id }) => id === 6)!.name).toContain('Delivered')
    for (const step of [2, 3, 4, 5, 6]) await office.put(`/order-detail-status/id=${delivered.id}/${step}`)
    await buyer.put(`/order-detail-status/id=${cancelled.id}/100`)
    expect(await office.refused('PUT', `/order-detail-status/id=${delivered.id}/2`)).toBe('409 ORDER_TERMINAL')
    expect((await buyer.get<Row[]>(`/order/buyer=${buyer.id}&type=1`)).map(({ statusId }) => statusId).sort()).toEqual([100, 6])
    const invoice = await seller.get<Json>(`/saleinvoice/orderid=${delivered.id}`)
    expect(invoice).toMatchObject({
      order_no: delivered.order_no,
      totalprice: 17_000,
      profitpercent: 5,
      commission: expect.any(Number),
    })
    expect(JSON.stringify(await buyer.get(`/saleinvoice/orderid=${delivered.id}`))).not.toContain('profitpercent')

    const ordered = await seller.get<Row[]>(`/sellerproducts/seller=${seller.id}&type=2&getitems=ordered&top=0`)
    expect(ordered.map(({ id }) => id).sort()).toEqual([delivered.id, cancelled.id].sort())
    await buyer.post(`/buyercart/buyer=${buyer.id}`, { buyer: buyer.id, product: second!, items_count: 1, total_payable: 0 })
    const [left] = await buyer.get<Row[]>(`/buyercart/buyer=${buyer.id}`)
    await buyer.send('DELETE', `/order-detail/id=${left!.id}`)
    expect(await buyer.get(`/buyercart/buyer=${buyer.id}`)).toEqual([])
  })

  test('a seller changes an animal and marks animals sold, here and elsewhere', async () => {
    const [first, second, third] = await listed(seller)
    const path = (id: number, quantity: number, sold: string) => `/update-product/id=${id}&quantity=${quantity}&${sold}`
    await seller.put(path(first!, 4, 'sold=false&issandhaisale=false'), { originalprice: 9000, offerprice: 8800.5, weight: 21 })
    expect((await shown(seller, first!)).product_variant).toMatchObject([
      { stock: 4, original_price: 9000, offer_price: 8800.5, weight: 21 },
    ])
    await seller.put(path(second!, 0, 'sold=true&issandhaisale=true'))
    await seller.put(path(third!, 0, 'sold=true&issandhaisale=false'))
    const sold = await seller.get<Row[]>(`/sellerproducts/seller=${seller.id}&type=2&getitems=sold&top=0`)
    expect(Object.fromEntries(sold.map(({ id, sold_though_sandhai }) => [id, sold_though_sandhai]))).toMatchObject({
      [second!]: true,
      [third!]: false,
    })
  })

  test('a buyer posts an enquiry; an admin approves it', async () => {
    const body = {
      uniqueidentifier: '',
      description: 'A calm cow in milk.',
      posted_by: buyer.id,
      postedfor: 'Selvi',
      contact: buyer.phone,
      categorytype: 1,
      category: 1,
      breed: species[0]!.breeds[0]!.id,
      age: 3,
      gender: 0,
      color: 6,
      requiredcount: 1,
      acceptableprice: 80000,
      weight: 250.25,
      requiredaroundpincode: '638701',
      requiredaroundcity: 'Tiruppur',
      requirearoundstate: 'Tamil Nadu',
      isverified: 0,
      verifiedby: null,
      verificationcomment: '',
      status: 0,
      recieveduserresponse: 0,
      createdon: iso(),
      isclosed: false,
    }
    await buyer.post('/product-requirement-enquiries', body)
    const [own] = await buyer.get<Row[]>('/user-product-requirement-enquiries')
    expect(own).toMatchObject({ description: 'A calm cow in milk.', requiredcount: 1, acceptableprice: 80000, weight: 250.25 })
    expect(await seller.get('/product-requirement-enquiries')).toEqual([])
    const approved = { ...body, id: own!.id, isverified: 1, verifiedby: office.id, verificationcomment: 'Called, it is genuine.' }
    await office.put(`/product-requirement-enquiry/id=${own!.id}`, approved)
    expect((await seller.get<Row[]>('/product-requirement-enquiries')).map(({ id }) => id)).toEqual([own!.id])
    expect(await seller.get(`/product-requirement-enquiry/id=${own!.id}`)).toMatchObject({
      id: own!.id,
      isverified: true,
      age: 3,
      age_name: expect.any(String),
      gender: 0,
      gender_name: expect.any(String),
      color: 6,
      color_name: expect.any(String),
    })
  })

  test('an admin does not approve an enquiry, and its poster reads why', async () => {
    const asked = {
      description: 'Anything cheap.',
      postedfor: 'Selvi',
      contact: buyer.phone,
      categorytype: 1,
      category: 2,
      requiredcount: 1,
      acceptableprice: 5000,
      weight: 20,
    }
    await buyer.post('/product-requirement-enquiries', { ...asked, posted_by: buyer.id, requiredaroundpincode: '638701' })
    const own = async () => (await buyer.get<Row[]>('/user-product-requirement-enquiries')).find(({ category }) => category === 2)!
    const { id } = await own()
    await office.put(`/product-requirement-enquiry/id=${id}`, {
      isverified: false,
      verifiedby: office.id,
      verificationcomment: 'Not reached.',
    })
    expect(await own()).toMatchObject({ isverified: false, verificationcomment: 'Not reached.' })
    expect((await seller.get<Row[]>('/product-requirement-enquiries')).map((each) => each.id)).not.toContain(id)
  })

  test('nobody acts or reads with the id of somebody else', async () => {
    const stranger = await register(1)
    const { referralcode } = await seller.post<{ referralcode: string }>('/validatesession')
    for (const [method, path, body] of [
      ['GET', `/user-address/user=${buyer.id}`],
      ['POST', `/user-address/user=${buyer.id}`, addressOf(buyer)],
      ['GET', `/buyercart/buyer=${buyer.id}`],
      ['POST', `/buyercart/buyer=${buyer.id}`, { product: 1, items_count: 1 }],
      ['PUT', `/confirm-order/buyer=${buyer.id}&address=1&code=`],
      ['GET', `/userdiscount/buyer=${buyer.id}&code=${referralcode}`],
      ['GET', `/order/buyer=${buyer.id}&type=1`],
      ['GET', `/sellerproducts/seller=${seller.id}&type=2&getitems=instock&top=0`],
      ['GET', `/userprofile/id=${seller.id}`],
      ['POST', `/userprofile/id=${seller.id}`, { username: 'Mine' }],
      ['POST', '/thread', { PostedBy: seller.id, content: 'Not by me.' }],
    ] as const) {
      const answer =
        path === '/thread' ? '403 IDENTITY_MISMATCH' : path.startsWith('/sellerproducts') ? '403 ROLE_FORBIDDEN' : '404 NOT_FOUND'
      expect(await stranger.refused(method, path, body), `${method} ${path}`).toBe(answer)
      // Control: the right person gets an answer there. A referral code may begin with the seller's id.
      const isOfSeller = path.includes(`/seller=${seller.id}&`) || path.endsWith(`/id=${seller.id}`)
      if (method === 'GET') await (isOfSeller ? seller : buyer).get(path)
    }
  })

  test('people discuss, like and reply', async () => {
    await seller.post('/thread', { PostedBy: seller.id, content: 'How do I feed a calf?' })
    const [thread] = await buyer.get<Row[]>('/thread')
    await buyer.post(`/thread/like/id=${thread!.id}`)
    await buyer.post(`/thread/Replies/id=${thread!.id}`, { thread: thread!.id, RepliedBy: buyer.id, reply: 'Three meals a day.' })
    expect(await seller.get(`/thread/Replies/id=${thread!.id}`)).toMatchObject([{ reply: 'Three meals a day.', RepliedBy_name: 'Selvi' }])
    expect((await seller.get<Row[]>('/thread'))[0]).toMatchObject({ content: 'How do I feed a calf?', likescount: 1 })
  })

  test('a person reads and changes their profile, adds a picture, and logs out', async () => {
    const path = `/userprofile/id=${buyer.id}`
    expect(await buyer.get(path)).toMatchObject({ id: buyer.id, phone: buyer.phone, usertype: 1 })
    await buyer.post(path, {
      phone: buyer.phone,
      email: 'selvi@example.com',
      username: 'Selvi Murugan',
      is_admin: true,
      is_staff: true,
      is_active: true,
      is_superuser: true,
      title: 2,
      usertype: 1,
    })
    expect(await buyer.get(path)).toMatchObject({ username: 'Selvi Murugan', email: 'selvi@example.com' })
    const [row] = await app.ctx.db.select().from(users).where(eq(users.id, buyer.id))
    expect(row).toMatchObject({ typeId: 1, superAdmin: false })
    await buyer.upload('/userprofileimage', { user: buyer.id }, 'image', 1)
    expect(((await buyer.get<Row>(path)).user_image as unknown[]).length).toBe(1)
    expect(await buyer.refused('GET', `/userprofile/id=${seller.id}`)).toBe('404 NOT_FOUND')
    await buyer.post('/logout')
    expect(await buyer.refused('POST', '/validatesession')).toBe('401 AUTH_REQUIRED')
  })
})
