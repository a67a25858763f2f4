import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { LinkedText } from '#src/ui/linked-text.tsx'
import { countLinks, linksInText } from './links-in-text.ts'

const links = (text: string) => linksInText(text).flatMap(({ text: shown, href }) => (href === undefined ? [] : [shown]))

describe('links in user texts', () => {
  test.each([
    ['see https://tnagrisnet.tn.gov.in/page?x=1#top now', 'https://tnagrisnet.tn.gov.in/page?x=1#top'],
    ['https://a.example.', 'https://a.example'],
    ['http://localhost:3000/saved\n', 'http://localhost:3000/saved'],
    ['(https://a.example/b)', 'https://a.example/b'],
    ['https://a.example/b_(c)', 'https://a.example/b_(c)'],
    ['"https://a.example/b", they said', 'https://a.example/b'],
    ['https://a.example/b!?', 'https://a.example/b'],
    ['HTTPS://A.EXAMPLE/b', 'HTTPS://A.EXAMPLE/b'],
    ['இங்கே பார்க்கவும் https://a.example/மாடு, நன்றி', 'https://a.example/மாடு'],
  ])('%s', (text, link) => {
    expect(links(text)).toEqual([link])
    // The parts add up to the original text.
    expect(
      linksInText(text)
        .map((part) => part.text)
        .join(''),
    ).toBe(text)
  })

  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)//https',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'ftp://a.example',
    '//a.example',
    'www.a.example',
    'xhttps://a.example',
    'https://bank.example@evil.example/',
    'https://user:pass@a.example/',
    'https://',
    'http://.',
    'https:/a.example',
    'http://[::1',
    `https://a.example/${'x'.repeat(3000)}`,
  ])('finds no link in %s', (text) => {
    expect(links(text)).toEqual([])
    expect(linksInText(text)).toEqual([{ text }])
  })

  test('keeps the text between links, and finds each link', () => {
    expect(linksInText('a https://a.example b\nhttp://b.example')).toEqual([
      { text: 'a ' },
      { text: 'https://a.example', href: 'https://a.example/' },
      { text: ' b\n' },
      { text: 'http://b.example', href: 'http://b.example/' },
    ])
    expect(countLinks('https://a.example https://a.example,https://b.example')).toBe(2)
    expect(linksInText('')).toEqual([])
  })

  test('renders hostile text as text, and marks every link with nofollow ugc', () => {
    const text = '<img src=x onerror=alert(1)> https://a.example/"onclick="alert(1) <script>alert(1)</script> javascript:alert(1)'
    const html = renderToStaticMarkup(createElement(LinkedText, { text }))
    expect(html).not.toMatch(/<(img|script)|onclick="alert|href="javascript/)
    expect(html.match(/<a /g)).toHaveLength(1)
    expect(html).toContain('rel="nofollow ugc noopener"')
    expect(html).toContain('href="https://a.example/"')
  })

  test('keeps an address above 2,000 characters as text, because trimming its end takes quadratic time', () => {
    const address = (length: number) => 'https://a.example/'.padEnd(length, ').')
    expect(linksInText(address(2000))).toEqual([
      { text: 'https://a.example/', href: 'https://a.example/' },
      { text: address(2000).slice('https://a.example/'.length) },
    ])
    expect(linksInText(address(2001))).toEqual([{ text: address(2001) }])
  })
})
