import { data } from 'react-router'

/** What a page's client loader throws when nobody answered: status 0, so that the error page can tell it from a fault of ours. */
export const offline = () => data({ code: 'OFFLINE' }, { status: 0 })
