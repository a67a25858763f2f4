import { useEffect, useState } from 'react'
import { readPush, switchPushOff, switchPushOn, type PushDevice } from '#src/kit/device/push.ts'
import { m } from '#src/paraglide/messages.js'

type Found = Awaited<ReturnType<typeof readPush>>

/** Profile section: switches notifications on this device on or off, and lists the other devices. */
export function PushDevices() {
  const [found, setFound] = useState<Found>(null)
  const [note, setNote] = useState('')
  const look = async () => setFound(await readPush())
  useEffect(() => void look(), [])
  if (!found) return null
  const switchOn = async () => {
    const outcome = await switchPushOn(found.key)
    setNote(outcome === 'on' ? m.push_on_now() : outcome === 'denied' ? m.push_denied() : m.push_failed())
    await look()
  }
  const switchOff = async (device: PushDevice) => {
    setNote((await switchPushOff(device)) ? m.push_off_now() : m.push_failed())
    await look()
  }
  return (
    <section id="push" aria-labelledby="profile-push" className="panel p-4 sm:p-6">
      <h2 id="profile-push" className="text-lg">
        {m.push_title()}
      </h2>
      <p className="mt-1 text-stone">{m.push_text()}</p>
      <ul className="mt-2 divide-y divide-line">
        {found.devices.map((device) => (
          <Device key={device.id} device={device} onStop={() => void switchOff(device)} />
        ))}
      </ul>
      {found.state === 'off' && (
        <button type="button" className="button-primary mt-2" onClick={() => void switchOn()}>
          {m.push_offer_yes()}
        </button>
      )}
      {found.state === 'denied' && <p className="mt-2">{m.push_denied()}</p>}
      {/* No `role="status"`: the page already has one for the result of its form. */}
      <p aria-live="polite" className="mt-2">
        {note}
      </p>
    </section>
  )
}

function Device({ device, onStop }: { device: PushDevice; onStop: () => void }) {
  const name = device.device || m.profile_session_unknown()
  return (
    <li className="row justify-between gap-2 py-2">
      <span>
        <b>{name}</b> {device.isthis && <span className="chip-good">{m.profile_session_this()}</span>}
      </span>
      <button type="button" aria-label={m.push_stop_label({ device: name })} className="button-plain" onClick={onStop}>
        {m.push_stop()}
      </button>
    </li>
  )
}
