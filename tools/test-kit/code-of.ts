/** The answer of a call in one line, for an assertion: status, problem code, fields. */
export async function codeOf(response: Response): Promise<string> {
  const { code, fields } = (await response.json()) as { code?: string; fields?: { field: string }[] }
  return [response.status, code, ...(fields ?? []).map(({ field }) => field)].filter(Boolean).join(' ')
}
