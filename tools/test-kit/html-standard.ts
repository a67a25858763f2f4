import { HtmlValidate, Rule, StaticConfigLoader, staticResolver, type DOMReadyEvent } from 'html-validate'

/** A live region announces itself. Inside a heading it would be read twice or not at all. */
class NoLiveHeading extends Rule {
  setup(): void {
    this.on('dom:ready', ({ document }: DOMReadyEvent) => {
      for (const level of [1, 2, 3, 4, 5, 6]) {
        for (const live of ['status', 'alert', 'log']) {
          for (const node of document.querySelectorAll(`h${level} [role="${live}"]`)) this.report(node, `role=${live} inside a heading`)
        }
      }
    })
  }
}

const resolver = staticResolver({
  plugins: { market: { name: 'market', rules: { 'no-live-heading': NoLiveHeading } } },
  // Our text inside <time> is for people, so machines need the attribute.
  elements: { market: { time: { attributes: { datetime: { required: true } } } } },
})

/** Validates against the HTML standard and its accessibility rules, with an independent tool. */
const validator = new HtmlValidate(
  new StaticConfigLoader([resolver], {
    root: true,
    plugins: ['market'],
    elements: ['html5', 'market'],
    extends: ['html-validate:standard', 'html-validate:document', 'html-validate:a11y'],
    rules: {
      'no-live-heading': 'error',
      // A list's label tells what it lists. axe checks in the journeys whether a label is allowed.
      'aria-label-misuse': ['error', { allowAnyNamable: true }],
      // Our own files come from our own host.
      'require-sri': ['error', { target: 'crossorigin' }],
    },
  }),
)

/** The faults in a page's HTML, one line each. */
export function htmlFaults(html: string): string[] {
  const { results } = validator.validateStringSync(html)
  return results.flatMap(({ messages }) => messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector ?? ''})`))
}
