/** Of the push service that a journey starts beside the site at this port. */
export const pushPortFor = (port: number) => port + 100
