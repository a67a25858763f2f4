export const samplePeople: any[] = []
