import fc from 'fast-check'
import { expect, test } from 'vitest'
import { messageId, type OutgoingMessage } from '../declared/message.ts'
import { cefEvent, octetCounted, syslogMessage } from './syslog.ts'

const id = '0198a000-0000-7000-8000-000000000001'
const message = (over: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  ...{
    id: messageId(id),
    kind: 'event',
    tenant_id: id,
    time: '2026-01-02T03:04:05.678Z',
    channel: 'aegis.alert.created',
  },
  ...{ subject: id, type: 'com.parapet.aegis.AlertCreated', severity: 'critical', title: 'Leak', text: '' },
  ...{ url: null, key: id, action: 'trigger', event: {}, ...over },
})
const settings = { format: 'rfc5424', hostname: 'host name' } as const

/** RFC 5424 by another way than it was written. */
function readSyslog(line: string) {
  const [, priority, time, host, app, , name, data, said] =
    /^<(\d+)>1 (\S+) (\S+) (\S+) (\S+) (\S+) (\[(?:\\.|[^\]\\])*\]) \uFEFF(.*)$/su.exec(line) ?? []
  const pairs = [...(data ?? '').matchAll(/ (\w+)="((?:\\.|[^"\\])*)"/gs)]
  const parameters = Object.fromEntries(
    pairs.map(([, key = '', value = '']) => [key, value.replaceAll(/\\(.)/gs, '$1')]),
  )
  return { priority, time, host, app, name, parameters, said }
}

/** The header and the extension of a CEF line, by another way than it was written. */
function readCef(line: string) {
  const header: string[] = []
  let field = ''
  let place = 0
  for (; header.length < 7 && place < line.length; place += 1) {
    const char = line[place] ?? ''
    if (char === '\\') {
      place += 1
      field += line[place] ?? ''
    } else if (char === '|') {
      header.push(field)
      field = ''
    } else field += char
  }
  const pairs = [...line.slice(place).matchAll(/(\w+)=((?:\\.|[^\\=])*?)(?=\s\w+=|$)/gs)]
  const value = (text: string) =>
    text.replaceAll(/\\(.)/gs, (_all, char: string) => (char === 'n' ? '\n' : char === 'r' ? '\r' : char))
  return { header, extension: Object.fromEntries(pairs.map(([, key = '', text = '']) => [key, value(text)])) }
}

test('a message of RFC 5424 has the priority of its severity and no space in its host', () => {
  const read = readSyslog(syslogMessage(message({ title: 'Leak\nof é' }), settings))
  expect(read).toMatchObject({ priority: '106', host: 'hostname', app: 'parapet', said: 'Leak of é' })
  expect(read.parameters).toMatchObject({ tenant: id, subject: id })
})

test('structured data is read back as it was written, whatever it holds', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '"', '\\', ']', ' ', '=', 'é'), maxLength: 30 }), (subject) => {
      expect(readSyslog(syslogMessage(message({ subject }), settings)).parameters.subject).toBe(subject)
    }),
  )
})

test('CEF is read back as it was written, whatever it holds', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', '|', '\\', '=', '\n', '\r', 'é'), minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(texts, texts, (title, text) => {
      const line = cefEvent(message({ title, text }))
      expect(line).not.toMatch(/[\r\n]/)
      const { header, extension } = readCef(line)
      expect(header[5]).toBe(title.replaceAll(/[\r\n]+/g, ' '))
      expect(header[6]).toBe('10')
      expect(extension.msg).toBe(text)
    }),
  )
})

test('OCSF is one line of JSON, and octets are counted as bytes', () => {
  const line = syslogMessage(message({ title: 'é' }), { ...settings, format: 'ocsf' })
  expect(JSON.parse(line.split('\uFEFF')[1] ?? '')).toMatchObject({ class_uid: 2004 })
  expect(Buffer.from(octetCounted('é1')).toString()).toBe('3 é1')
})
