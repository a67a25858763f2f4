/** The port of the push service that a journey starts beside the site at `port`. */
export const pushPortFor = (port: number) => port + 100
