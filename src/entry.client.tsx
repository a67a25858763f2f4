import { startTransition, StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { PageInfo } from './ui/page-info.ts'

// A cached page has no nonce (pages.server.ts); React gets the value that is in the document.
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
