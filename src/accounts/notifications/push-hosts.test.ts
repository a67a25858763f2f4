import { describe, expect, test } from 'vitest'
import { isPushEndpoint, MAX_ENDPOINT } from './push-hosts.server.ts'

describe('push addresses', () => {
  test.each([
    'https://fcm.googleapis.com/fcm/send/abc:def',
    'https://fcm.googleapis.com/wp/abc',
    'https://updates.push.services.mozilla.com/wpush/v2/gAAA',
    'https://web.push.apple.com/QAbc',
    'https://sg2p.notify.windows.com/w/?token=abc%2b',
  ])('of browser makers are accepted: %s', (endpoint) => expect(isPushEndpoint(endpoint, [])).toBe(true))

  test.each([
    'http://fcm.googleapis.com/fcm/send/abc',
    'https://fcm.googleapis.com:8443/fcm/send/abc',
    'https://fcm.googleapis.com@10.0.0.1/fcm/send/abc',
    'https://user:secret@fcm.googleapis.com/fcm/send/abc',
    'https://fcm.googleapis.com.evil.example/fcm/send/abc',
    'https://evilfcm.googleapis.com/fcm/send/abc',
    'https://evilpush.apple.com/abc',
    'https://fcm.googleapis.com%2eevil.example/abc',
    'https://fcm.googleapis.com\\@evil.example/abc',
    'https://fcm.googleapis.com/abc#fragment',
    'https://FCM.googleapis.com/abc',
    ' https://fcm.googleapis.com/abc',
    'https://fcm.googleapis.com./abc',
    'https://127.0.0.1/abc',
    'https://[::1]/abc',
    'https://169.254.169.254/latest/meta-data',
    'https://localhost/abc',
    'https://2130706433/abc',
    'file:///etc/passwd',
    'gopher://fcm.googleapis.com/abc',
    `https://fcm.googleapis.com/${'a'.repeat(MAX_ENDPOINT)}`,
    '',
  ])('of other hosts are refused: %s', (endpoint) => expect(isPushEndpoint(endpoint, [])).toBe(false))

  test("of the operator's extra origins are accepted, only when they match in full", () => {
    const others = ['https://push.example']
    expect(isPushEndpoint('https://push.example/abc', others)).toBe(true)
    expect(isPushEndpoint('https://push.example:444/abc', others)).toBe(false)
    expect(isPushEndpoint('https://a.push.example/abc', others)).toBe(false)
    expect(isPushEndpoint('http://push.example/abc', others)).toBe(false)
  })
})
