/** A page of ours as a document, without its scripts and pictures. Rejects when offline and for a status of failure. */
export async function fetchPage(url: string): Promise<Document> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} answered ${response.status}.`)
  return new DOMParser().parseFromString(await response.text(), 'text/html')
}
