import Type from 'typebox'
import { describe, expect, test } from 'vitest'
import { strictObject } from '../schema/types.ts'
import { defineMail } from './define.ts'

const to = 'ada@acme.example'
const data = strictObject({ name: Type.String(), url: Type.String(), items: Type.Array(Type.String()) })
const mail = defineMail({
  name: 'test.hello',
  data,
  subject: 'Hello {{ name }}',
  text: 'Hello {{ name }}\n{% for item in items %}- {{ item }}\n{% endfor %}{{ url }}\n',
  html: '<p title="{{ name }}">{{ name }}</p><ul>{% for item in items %}<li>{{ item }}</li>{% endfor %}</ul><a href="{{ url | web_link }}">open</a>',
})
const values = { name: 'Ada', url: 'https://parapet.example/x?a=1&b=2', items: ['one', 'two'] }

const declared = (html: string) => defineMail({ name: 'test.one', data, subject: 's', text: 't', html })

test('a mail is rendered as text and as HTML', () => {
  const letter = mail.render(values, { to, unsubscribe: { url: 'https://parapet.example/end', oneClick: true } })
  expect(letter).toMatchObject({ to, subject: 'Hello Ada', text: `Hello Ada\n- one\n- two\n${values.url}\n` })
  expect(letter.html).toContain('<li>one</li><li>two</li>')
  expect(letter.html).toContain('href="https://parapet.example/x?a=1&amp;b=2"')
  expect(letter.unsubscribe?.oneClick).toBe(true)
})

test('one without HTML is a letter of text', () => {
  const { html } = defineMail({ name: 'test.text', data, subject: 's', text: 't' }).render(values, { to })
  expect(html).toBeUndefined()
})

describe('C34 text of others', () => {
  const hostile = '<img src=x onerror="alert(1)"> " onclick=\'x\' {{ name }} {% raw %}'

  test('is escaped in the HTML part, in attributes and in the title too', () => {
    const { html = '' } = mail.render({ ...values, name: hostile, items: [hostile] }, { to })
    expect(html).not.toContain('<img')
    expect(html).not.toContain('" onclick')
    expect(html.match(/&lt;img src=x/g)).toHaveLength(4)
  })

  test('stands in the text part as it is, and adds no line to the subject', () => {
    const { text, subject } = mail.render({ ...values, name: 'A\r\nBcc: eve@evil.example' }, { to })
    expect(text).toContain('A\r\nBcc:')
    expect(subject).toBe('Hello A Bcc: eve@evil.example')
  })

  test.each(['javascript:alert(1)', 'data:text/html,x', 'no address'])('makes no link of %s', (url) => {
    expect(() => mail.render({ ...values, url }, { to })).toThrow()
  })
})

test('data of another form are refused', () => {
  expect(() => mail.render({ ...values, name: 1 } as never, { to })).toThrow('test.hello')
  expect(() => mail.render({ ...values, more: '' } as never, { to })).toThrow('another form')
})

test.each([
  '{{ name | raw }}',
  "{% include 'x' %}",
  "{% render '/etc/passwd' %}",
  "{% layout 'x' %}",
  '{% liquid\n include "x" %}',
  '{% nothing %}',
  '{{ name | nothing }}',
  '{% if name %}',
  'x'.repeat(20_001),
])('a template that reads files, leaves values unescaped or cannot be read is refused: %s', (html) => {
  expect(() => declared(html)).toThrow('test.one')
})

test('a template ends at its limits, and knows no variable that is not declared', () => {
  expect(() => declared('{% for i in (1..100000000) %}x{% endfor %}').render(values, { to })).toThrow(/limit/)
  expect(() => declared('{{ missing }}').render(values, { to })).toThrow(/undefined variable/)
  expect(() => declared('{{ name.constructor.name }}').render(values, { to })).toThrow(/undefined variable/)
})
