import { send } from '#src/kit/http/post-json.ts'
import { m } from '#src/paraglide/messages.js'

export type Asked =
  | { isTaken: true; answer: object }
  | { isTaken: false; code: string; detail: string; errors: Record<string, string>; retryAfterSeconds: number | undefined }

/** Calls the identity API for a modal. Being offline is returned as a refusal. */
export async function askIdentity(method: 'POST' | 'PUT' | 'PATCH', path: string, body: object): Promise<Asked> {
  try {
    const response = await send(method, `/api/v1${path}`, body)
    const answer = (await response.json()) as object
    if (response.ok) return { isTaken: true, answer }
    const { code, detail, fields = [] } = answer as { code: string; detail: string; fields?: { field: string; message: string }[] }
    const errors: Record<string, string> = {}
    // Keep the first message of each field.
    for (const { field, message } of fields) errors[fieldNames[path]?.[field] ?? field] ??= message
    return { isTaken: false, code, detail, errors, retryAfterSeconds: Number(response.headers.get('retry-after')) || undefined }
  } catch {
    return { isTaken: false, code: 'OFFLINE', detail: m.error_offline_text(), errors: {}, retryAfterSeconds: undefined }
  }
}

/** The forms' names of the fields of these calls. */
const fieldNames: Record<string, Record<string, string>> = {
  '/login': { username: 'phone' },
  '/login-code': { username: 'name', usertype: 'typeId', consent: 'hasConsented' },
}
