export interface SampleListing { [k: string]: any; key: string; pictures: number }
export const sampleListings: SampleListing[] = []
