import { createContext } from 'react'

/** What the frame needs to know about its own response. */
export const PageInfo = createContext({ nonce: '', requestId: '' })
