import Bowser from 'bowser'

/** Browser and system in readable form: "Chrome · Android". Nothing else of the header is stored. */
export function deviceOf(userAgent: string): string {
  const { browser, os } = Bowser.parse(userAgent.slice(0, 500) || '-')
  return [browser.name, os.name].filter(Boolean).join(' · ').slice(0, 60)
}
