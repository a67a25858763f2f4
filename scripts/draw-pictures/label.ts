export const sampleLabel = '';
