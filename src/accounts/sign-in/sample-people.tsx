import { useRouteLoaderData } from 'react-router'
import { m } from '#src/paraglide/messages.js'
import { useIsFirstPaint } from '#src/ui/first-paint.ts'

/** The demo logins of the sample market (demo/sample-people.ts) and the password that they share. */
const SAMPLE_PASSWORD = 'sandhai-demo'
const people = [
  { phone: '9000000001', role: m.login_sample_buyer },
  { phone: '9000000002', role: m.login_sample_seller },
  { phone: '9000000003', role: m.login_sample_both },
  { phone: '9000000004', role: m.login_sample_agent },
  { phone: '9000000005', role: m.login_sample_vet },
  { phone: '9000000006', role: m.login_sample_vet_waiting },
  { phone: '9000000009', role: m.login_sample_admin },
]

/** In a demo, below the login: whoever tries the market logs in as a sample person with one tap. Renders nothing on a live site. */
export function SamplePeople() {
  const { isDemo = false } = (useRouteLoaderData('root') ?? {}) as { isDemo?: boolean }
  const hasScripts = !useIsFirstPaint()
  if (!isDemo) return null
  return (
    <details onToggle={({ currentTarget }) => currentTarget.open && currentTarget.scrollIntoView()}>
      <summary className="tap-link text-sm">{m.login_sample_title()}</summary>
      <p className="text-sm">{m.login_sample_password({ password: SAMPLE_PASSWORD })}</p>
      <ul className="divide-y divide-line">
        {people.map(({ phone, role }) => (
          <li key={phone} className="grid grid-cols-[1fr_auto] items-center gap-x-3 py-1 text-sm">
            <span>
              <b className="block">{role()}</b> {phone}
            </span>
            {hasScripts && (
              <button
                type="button"
                aria-label={`${m.login_submit()}: ${role()}`}
                onClick={({ currentTarget }) => logIn(currentTarget.form!, phone)}
                className="button-plain min-h-11 px-3"
              >
                {m.login_submit()}
              </button>
            )}
          </li>
        ))}
      </ul>
    </details>
  )
}

function logIn(form: HTMLFormElement, phone: string): void {
  const fill = (name: string, value: string) => {
    form.querySelector<HTMLInputElement>(`input[name=${name}]`)!.value = value
  }
  fill('phone', phone)
  fill('password', SAMPLE_PASSWORD)
  form.requestSubmit()
}
