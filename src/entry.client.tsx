import { startTransition, StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { localeOfPath } from './kit/locale.ts'
import { overwriteGetLocale } from './paraglide/runtime.js'
import { PageInfo } from './ui/page-info.ts'

overwriteGetLocale(() => localeOfPath(window.location.pathname))
// The browser hides a nonce from the page; nothing drawn after the first view needs it.
const info = { nonce: '', requestId: document.documentElement.dataset.requestId ?? '' }

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <PageInfo value={info}>
        <HydratedRouter />
      </PageInfo>
    </StrictMode>,
  )
})
