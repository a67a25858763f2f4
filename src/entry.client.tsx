import { startTransition, StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { PageInfo } from './ui/page-info.ts'

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
