import { startTransition, StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
// Before the router, whose listener for Back must be the younger one.
import './router-seams/history-entry.ts'
import { PageInfo } from '#src/document/page-info.ts'

// A cached page has no nonce (server/pages), so React gets the value from the document.
const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce
const info = { nonce, requestId: document.documentElement.dataset.requestId ?? '' }

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
