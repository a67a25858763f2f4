import { join } from 'node:path'
import { paraglideVitePlugin } from '@inlang/paraglide-js'
import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Plugin } from 'vite'
import { mdx } from './scripts/mdx-plugin.ts'
import { paraglide } from './scripts/paraglide-options.ts'

/** Modules of `src/` and messages by how their paths begin, as sources of a regular expression. */
const partOf = (files: string[], messages: string[]) =>
  new RegExp(`/src/(${[...files, ...messages.map((message) => `paraglide/messages/${message}`)].join('|')})`)

/** What only forms have in common: lists of animals must not carry it. */
const inForms = partOf(
  [
    'ui/(asked-for|field|dialog|pager|select-field|form-failure|send-once|use-focus-on-error)[.]',
    'kit/text/count-text[.]',
    'addresses/(address-lines|pincode-field|use-pincode-place|address-limits|address-schemas|places|town-names)[.]',
    'accounts/(phone-field|phone-link|sign-in/logged-out|notifications/push-offer)[.]',
    'kit/device/(offline-form|send-picture|own-on-device)[.]',
  ],
  [
    '(address|addresses)_',
    '(profile_(deleted_user|name|picture_line|picture_sent)|users_own_password)[.]',
    '(footer_support|menu_checkup|newsletter_title)[.]',
    'problem_(auth_required|sellers_only|too_many_images|unavailable)[.]',
    'own_(logged_out|register|sign_in|first_page|next_page|show_all|close|sell)[.]',
  ],
)
/** Signing in, and what a person says of themselves. */
const ofAccounts = partOf(['accounts/(?!sign-in/auth-dialog-opener|rules|policy)'], ['(accounts|login|profile|register|reset)_'])
/** What only longer forms ask with: one that logs in must not carry it. */
const inLongForms = partOf(['ui/(text-area-field|file-field|stepper|radio-cards|use-fetcher-form)[.]'], [])
/** Looking after what one has listed and sold. */
const ofOwnListings = partOf(['selling/(own|earnings|owners|proofs)/', 'storefront/animal/owner-panel'], ['(own|sale|quick)_'])
/** Listing an animal. */
const ofSelling = partOf(
  ['selling/(?!own/|earnings/|owners/|proofs/)', 'kit/(time-money/amounts|text/(number-words|tokens|sound-keys))[.]', 'ui/photo-tile'],
  ['(sell|edit)_'],
)
/** What vets and admins have in common at their desks. */
const atDesks = partOf(
  ['health/', 'admin/', 'verification/', 'reports/reports-', 'content/support/tickets-page'],
  ['(users|vet|verify|verification|second_look)_'],
)
/** The controls of desks' tables and lists. */
const atDeskTables = partOf(['ui/(desk-table|single-keys|undo-button|age-chip|plots)[.]'], ['(keys|office|table)_'])
/** What each act in the trail is called. */
const ofTrail = partOf(['admin/event-texts', 'kit/db/audit-events'], ['trail_'])
/** Cart, confirmation, orders and their papers. */
const ofBuying = partOf(
  ['cart/', 'orders/', 'invoices/'],
  ['(cart|orders?|confirm|receipt|invoice|handover|problem)_', 'verify_(compare|genuine|intro|scan|title|total|unknown)'],
)
/** What is said of one animal, wherever its facts stand whole, and the way to its seller: who looks at one carries no desk. */
const ofAnimal = partOf(
  ['ui/(stars|sheet)[.]', 'accounts/phone-text[.]', 'health/vet-findings[.]'],
  ['product_', 'own_edit', 'report_link', 'vet_(condition|temperature|gait|skin|teeth|udder|good|bad|watch)'],
)
/** What buyers say of sellers, and what is wrong. */
const ofReviews = partOf(['reviews/(reviews|review-form)[.]', 'reports/(report-form|report-reasons)[.]'], ['(review|report)_'])
/** The wanted board, the forum, and what one keeps an eye on. */
const ofCommunity = partOf(
  ['enquiries/', 'forum/', 'alerts/(?!save-heart)', 'content/privacy/me-', 'ui/linked-text', 'kit/text/links-in-text'],
  ['(enquiry(?!_add_title)|wanted|forum|saved|me)_'],
)
/** What a page needs once somebody does something. */
const isOfCalls = /\/src\/(kit\/http\/post-json|listings\/cart-count)\.ts$/
/** The first that takes a module has it: what visitors read stands before what only desks need. */
const special = Object.entries({
  animal: ofAnimal,
  forms: inForms,
  'long-forms': inLongForms,
  accounts: ofAccounts,
  selling: ofSelling,
  own: ofOwnListings,
  buying: ofBuying,
  reviews: ofReviews,
  desk: atDeskTables,
  trail: ofTrail,
  desks: atDesks,
  community: ofCommunity,
}).map(([name, test]) => ({ name, test, minShareCount: 2 }))
const isSpecial = (id: string) => special.some(({ test }) => test.test(id))

export default defineConfig({
  plugins: [mdx(), paraglideVitePlugin(paraglide), lightMessages(), tailwindcss(), reactRouter()],
  build: { target: 'es2022', assetsInlineLimit: 0, modulePreload: false },
  // Of scripts that are built as a worker is, each a file of its own with nothing of React: src/server/page-script.ts, the device script, the
  // service worker.
  worker: { format: 'es', plugins: () => [lightMessages('worker')] },
  environments: {
    // Fewer, larger files: on a slow line each one costs a round trip. What every page needs is one, what many need another.
    client: {
      build: {
        rolldownOptions: {
          output: {
            // Every page carries the names of all files: a letter less of each saves a hundred bytes.
            chunkFileNames: 'assets/[name]-[hash:7].js',
            entryFileNames: 'assets/[name]-[hash:7].js',
            codeSplitting: {
              groups: [
                // With the two that the first pages of most people share: compressed together they are half as large.
                {
                  name: 'frame',
                  test: /node_modules\/(react|react-dom|react-router)\/|\/src\/(root|entry\.client|listings\/browse\/filter-ids|storefront\/list\/(search-box|category-row)|paraglide\/messages\/list_(within_km|confirm|filter_options))\.[jt]sx?$/,
                },
                {
                  name: 'shared',
                  minShareCount: 3,
                  test: (id: string) => /\/src\//.test(id) && !isSpecial(id) && !isOfCalls.test(id),
                },
                // What pages send with, once somebody does something: in a group of others it would bring all of them along.
                { name: 'calls', test: isOfCalls },
                ...special,
              ],
            },
          },
        },
      },
    },
    // The site's entry, not React Router's own: pages, API and database live in one module graph (decision 0002).
    // Bundled: file by file Drizzle takes half of the start and 40 MB, and the icons bring fifteen hundred that nobody shows.
    ssr: {
      resolve: { noExternal: ['drizzle-orm', 'lucide-react'] },
      build: { target: 'node24', rolldownOptions: { input: './src/server/main.server.ts' } },
    },
  },
})

/** In browsers the messages ask our few lines which language it is (src/kit/text/message-locale.ts). */
function lightMessages(of: 'pages' | 'worker' = 'pages'): Plugin {
  return {
    name: 'light-messages',
    enforce: 'pre',
    applyToEnvironment: (environment) => of === 'worker' || environment.name === 'client',
    resolveId(id, importer) {
      if (id === '../runtime.js' && importer?.includes('/src/paraglide/messages/'))
        return join(import.meta.dirname, 'src/kit/text/message-locale.ts')
      return null
    },
  }
}
