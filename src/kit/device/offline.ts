import { data } from 'react-router'

/** A page's client loader throws this when nobody answered. Status 0 tells the error page that this is not a server fault. */
export const offline = () => data({ code: 'OFFLINE' }, { status: 0 })
