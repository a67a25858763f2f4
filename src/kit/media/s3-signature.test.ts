import { expect, test } from 'vitest'
import { signed } from './s3-signature.server.ts'

const example = {
  region: 'us-east-1',
  keyId: 'AKIAIOSFODNN7EXAMPLE',
  secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  now: new Date('2013-05-24T00:00:00Z'),
}
const signatureOf = (headers: Record<string, string>) => /Signature=(.*)$/.exec(headers.authorization!)![1]

test('requests to a bucket are signed as in the three examples of the Amazon S3 documentation', () => {
  const bucket = 'https://examplebucket.s3.amazonaws.com'
  const get = { ...example, method: 'GET', url: new URL(`${bucket}/test.txt`), headers: { range: 'bytes=0-9' }, body: '' }
  expect(signatureOf(signed(get))).toBe('f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41')
  const put = {
    ...example,
    method: 'PUT',
    url: new URL(`${bucket}/test$file.text`),
    headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
    body: 'Welcome to Amazon S3.',
  }
  expect(signatureOf(signed(put))).toBe('98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd')
  const list = { ...example, method: 'GET', url: new URL(`${bucket}/?max-keys=2&prefix=J`), headers: {}, body: '' }
  expect(signatureOf(signed(list))).toBe('34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7')
})
