import { describe, expect, test } from 'vitest'
import { type LogFormat, readerOf } from './formats.ts'
import { emptyRecord, FormatFault, type ReaderOptions } from './record.ts'

const noOptions: ReaderOptions = { zone: null, columns: null }

/** The records of a log, and `failed` for lines that are none. */
function read(format: LogFormat, lines: readonly string[], options: Partial<ReaderOptions> = {}) {
  const reader = readerOf(format, { ...noOptions, ...options })
  return lines.flatMap((line): readonly (object | string)[] => {
    const record = emptyRecord()
    const outcome = reader.read(line, record)
    if (outcome !== 'record') return outcome === 'failed' ? ['failed'] : []
    return [{ ...record, at: new Date(record.at).toISOString() }]
  })
}

const plain = { evidence: 'http', host: '', port: 0, path: '', user: '', client: '', up: 0, down: 0 }

describe('Squid, native access.log', () => {
  test('reads the lines of its documentation', () => {
    const lines = [
      '1286536308.779    180 192.168.0.224 TCP_MISS/200 411 GET http://liveupdate.symantecliveupdate.com/minitri.flg - DIRECT/125.23.246.1 text/plain',
      '1066036250.603 310 192.0.2.16 TCP_MISS/200 1056 CONNECT chat.openai.com:443 alice DIRECT/104.18.2.1 -',
      '1066036250.700 0 192.0.2.16 TCP_DENIED/407 1788 GET http://user:secret@Example.COM:8080/a/b?token=secret#x bob NONE/- text/html',
      '1066036250.800 0 2001:db8::1 NONE/400 3800 GET error:invalid-request - HIER_NONE/- text/html',
      '1066036250.900 12 192.0.2.16 TCP_TUNNEL/200 99 CONNECT [2001:db8::2]:443 - HIER_DIRECT/2001:db8::2 -',
    ]
    const client = '192.0.2.16'
    expect(read('squid', lines)).toEqual([
      {
        ...plain,
        ...{
          at: '2010-10-08T11:11:48.779Z',
          host: 'liveupdate.symantecliveupdate.com',
          port: 80,
          path: '/minitri.flg',
        },
        ...{ client: '192.168.0.224', down: 411 },
      },
      {
        ...plain,
        ...{ at: '2003-10-13T09:10:50.603Z', host: 'chat.openai.com', port: 443, client, user: 'alice', down: 1056 },
      },
      {
        ...plain,
        ...{ at: '2003-10-13T09:10:50.700Z', host: 'Example.COM', port: 8080, path: '/a/b', client, user: 'bob' },
        down: 1788,
      },
      { ...plain, at: '2003-10-13T09:10:50.800Z', client: '2001:db8::1', down: 3800 },
      { ...plain, at: '2003-10-13T09:10:50.900Z', host: '2001:db8::2', port: 443, client, down: 99 },
    ])
  })

  test.each([
    '',
    'hello',
    '1066036250.603 310 192.0.2.16 TCP_MISS/200 1056 GET /relative - DIRECT/- text/html',
    '1066036250.603 310 192.0.2.16 TCP_MISS 1056 GET http://a.example/ - DIRECT/- text/html',
    'yesterday 310 192.0.2.16 TCP_MISS/200 1056 GET http://a.example/ - DIRECT/- text/html',
    '1066036250.603 310 192.0.2.16 TCP_MISS/200 many GET http://a.example/ - DIRECT/- text/html',
    '1066036250.603 310 192.0.2.16 TCP_MISS/200 1056 GET',
    '9999999999999 1 192.0.2.16 TCP_MISS/200 1 GET http://a.example/ - DIRECT/- text/html',
  ])('counts %j as unreadable', (line) => {
    expect(read('squid', [line])).toEqual(['failed'])
  })
})

test('combined logs of proxies are read with their offset, and those of servers are not', () => {
  const lines = [
    '192.0.2.1 - frank [10/Oct/2000:13:55:36 -0700] "GET http://api.openai.com/v1/models?x=1 HTTP/1.0" 200 2326 "http://www.example.com/start.html" "Mozilla/4.08 [en] (Win98; I ;Nav)"',
    '192.0.2.1 - - [10/Oct/2000:13:55:36 +0530] "CONNECT claude.ai:443 HTTP/1.1" 200 - "-" "curl/8" TCP_TUNNEL:HIER_DIRECT',
    '127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /apache_pb.gif HTTP/1.0" 200 2326',
    '127.0.0.1 - frank [10/Xyz/2000:13:55:36 -0700] "GET http://a.example/ HTTP/1.0" 200 2326',
  ]
  expect(read('combined', lines)).toEqual([
    {
      ...plain,
      ...{ at: '2000-10-10T20:55:36.000Z', host: 'api.openai.com', port: 80, path: '/v1/models', down: 2326 },
      ...{ client: '192.0.2.1', user: 'frank' },
    },
    { ...plain, at: '2000-10-10T08:25:36.000Z', host: 'claude.ai', port: 443, client: '192.0.2.1' },
    'failed',
    'failed',
  ])
})

describe('W3C extended log file format', () => {
  const lines = [
    '#Version: 1.0',
    '#Date: 2024-03-31 00:34:23',
    '#Fields: date time c-ip cs-username cs-method cs-uri-scheme cs-host cs-uri-port cs-uri-path cs-uri-query sc-bytes cs-bytes cs(User-Agent)',
    '2024-03-31 02:30:00 192.0.2.7 "CORP\\alice" POST https api.anthropic.com 443 /v1/messages ?k=secret 512 2048 "Mozilla/5.0 (X11; Linux)"',
    '2024-03-31 02:30:00 192.0.2.7 - GET http example.com 80 / - 10 20',
  ]
  const first = {
    ...plain,
    ...{ host: 'api.anthropic.com', port: 443, path: '/v1/messages', user: 'CORP\\alice', client: '192.0.2.7' },
    ...{ up: 2048, down: 512 },
  }
  test('has times in UTC, and in the zone that the caller names', () => {
    expect(read('w3c', lines)).toEqual([{ ...first, at: '2024-03-31T02:30:00.000Z' }, 'failed'])
    expect(read('w3c', lines, { zone: 'America/New_York' })[0]).toEqual({ ...first, at: '2024-03-31T06:30:00.000Z' })
  })

  test('reads cs-uri and the day of #Date where these are all it has', () => {
    const short = [
      '#Date: 2001-01-31 00:00:00',
      '#Fields: time cs-method cs-uri',
      '00:34:23 GET http://claude.ai/a?b=c',
    ]
    expect(read('w3c', short)).toEqual([
      { ...plain, at: '2001-01-31T00:34:23.000Z', host: 'claude.ai', port: 80, path: '/a' },
    ])
  })

  test('is refused whole where its fields name no host', () => {
    expect(() => read('w3c', ['#Fields: date time cs-method cs-uri-stem'])).toThrow(FormatFault)
  })

  test('has no readable line before its fields', () => {
    expect(read('w3c', ['2001-01-31 00:34:23 GET http://claude.ai/'])).toEqual(['failed'])
  })
})

describe('Zeek', () => {
  const http = [
    '#separator \\x09',
    '#set_separator\t,',
    '#empty_field\t(empty)',
    '#unset_field\t-',
    '#path\thttp',
    '#fields\tts\tuid\tid.orig_h\tid.orig_p\tid.resp_h\tid.resp_p\tmethod\thost\turi\trequest_body_len\tresponse_body_len\tusername',
    '#types\ttime\tstring\taddr\tport\taddr\tport\tstring\tstring\tstring\tcount\tcount\tstring',
    '1591367999.305988\tC5bLoe2Mvxqhawzqqd\t192.168.4.76\t46378\t31.3.245.133\t80\tPOST\tapi.mistral.ai\t/v1/chat/completions?a=b\t120\t4500\t-',
  ]
  const record = {
    ...plain,
    ...{ at: '2020-06-05T14:39:59.305Z', host: 'api.mistral.ai', port: 80, path: '/v1/chat/completions' },
    ...{ client: '192.168.4.76', up: 120, down: 4500 },
  }
  test('http.log in tab-separated values', () => {
    expect(read('zeek_tsv', [...http, '1591367999.3\ttoo\tfew', '#close\t2020-06-05-14-40-00'])).toEqual([
      record,
      'failed',
    ])
  })

  test('honors another separator and another unset field', () => {
    const lines = ['#separator \\x2c', '#unset_field,NIL', '#fields,ts,id.orig_h,id.resp_h,id.resp_p,server_name']
    expect(read('zeek_tsv', [...lines, '1591367999.3,10.0.0.1,10.0.0.2,443,NIL'])).toEqual([
      {
        ...plain,
        ...{ at: '2020-06-05T14:39:59.300Z', evidence: 'flow', host: '10.0.0.2', port: 443, client: '10.0.0.1' },
      },
    ])
  })

  test('dns, ssl and conn in JSON', () => {
    const lines = [
      '{"ts":1591367999.306059,"uid":"CMdzit1AMNsmfAIiQc","id.orig_h":"192.168.4.76","id.orig_p":36844,"id.resp_h":"192.168.4.1","id.resp_p":53,"proto":"udp","query":"chat.deepseek.com"}',
      '{"ts":"2020-06-05T14:39:59.306059Z","id.orig_h":"192.168.4.76","id.resp_h":"203.0.113.9","id.resp_p":443,"server_name":"claude.ai"}',
      '{"ts":1591367999.4,"id.orig_h":"192.168.4.76","id.resp_h":"2001:db8::9","id.resp_p":11434,"orig_bytes":100,"resp_bytes":7}',
      '{"ts":1591367999.4',
      '[]',
    ]
    const client = '192.168.4.76'
    expect(read('zeek_json', lines)).toEqual([
      { ...plain, at: '2020-06-05T14:39:59.306Z', evidence: 'dns', host: 'chat.deepseek.com', client },
      { ...plain, at: '2020-06-05T14:39:59.306Z', evidence: 'tls', host: 'claude.ai', port: 443, client },
      {
        ...plain,
        ...{ at: '2020-06-05T14:39:59.400Z', evidence: 'flow', host: '2001:db8::9', port: 11_434, client },
        ...{ up: 100, down: 7 },
      },
      'failed',
      'failed',
    ])
  })

  test('refuses a log whose fields name no destination', () => {
    expect(() => read('zeek_tsv', ['#fields\tts\tuid'])).toThrow('destination')
  })
})

test('Route 53 Resolver query logs are read as their documentation shows them', () => {
  const line =
    '{"version":"1.100000","account_id":"123456789012","region":"us-west-2","vpc_id":"vpc-00000000000000000","query_timestamp":"2020-09-10T05:02:45Z","query_name":"chatgpt.com.","query_type":"A","query_class":"IN","rcode":"NOERROR","answers":[{"Rdata":"55.3.244.1","Type":"A","Class":"IN"}],"srcaddr":"10.0.0.3","srcport":"56067","transport":"UDP","srcids":{"instance":"i-0d15cd0d3adfd2ef1"}}'
  expect(read('route53', [line, '{"query_timestamp":"2020-09-10T05:02:45Z"}'])).toEqual([
    { ...plain, at: '2020-09-10T05:02:45.000Z', evidence: 'dns', host: 'chatgpt.com.', client: '10.0.0.3' },
    'failed',
  ])
})

describe('flow logs of VPC', () => {
  const flow = { ...plain, evidence: 'flow' }
  test('in the default order, with both directions and without data', () => {
    const lines = [
      '2 123456789010 eni-1235b8ca123456789 172.31.16.139 203.0.114.12 20641 443 6 20 4249 1418530010 1418530070 ACCEPT OK',
      '2 123456789010 eni-1235b8ca123456789 8.8.4.4 172.31.16.139 443 20641 6 20 900 1418530010 1418530070 ACCEPT OK',
      '2 123456789010 eni-1235b8ca123456789 - - - - - - - 1431280876 1431280934 - NODATA',
      '2 123456789010 eni-1235b8ca123456789 172.31.16.139 203.0.114.12 20641 443 6 20 4249 1418530010',
    ]
    expect(read('vpc_flow', lines)).toEqual([
      {
        ...flow,
        ...{ at: '2014-12-14T04:06:50.000Z', host: '203.0.114.12', port: 443, client: '172.31.16.139', up: 4249 },
      },
      { ...flow, at: '2014-12-14T04:06:50.000Z', host: '8.8.4.4', port: 443, client: '172.31.16.139', down: 900 },
      { ...flow, at: '2015-05-10T18:01:16.000Z' },
      'failed',
    ])
  })

  test('in the order of the caller or of a header line', () => {
    const line = '1418530010 10.0.0.1 9.9.9.9 50000 443 77'
    const wanted = [{ ...flow, at: '2014-12-14T04:06:50.000Z', host: '9.9.9.9', port: 443, client: '10.0.0.1', up: 77 }]
    const order = 'start srcaddr dstaddr srcport dstport bytes'
    expect(read('vpc_flow', [line], { columns: order.replaceAll(' ', ',') })).toEqual(wanted)
    expect(read('vpc_flow', [line], { columns: order.replaceAll(/(\w+)/g, '$${$1}') })).toEqual(wanted)
    expect(read('vpc_flow', [order, line])).toEqual(wanted)
    expect(() => read('vpc_flow', [line], { columns: 'srcaddr,dstaddr' })).toThrow('lack bytes, start')
  })
})

describe('tables with a column map', () => {
  const columns = 'time:When,url:Address,user:Who,bytes_up:Sent'
  test('csv with quotes, in the zone of the caller, over the change to daylight saving time', () => {
    const lines = [
      '\uFEFFWho,When,Address,Sent',
      'alice,2024-03-31 01:59:59,"https://claude.ai/chat?q=a,b",10',
      '"Müller, Bob",2024-03-31 03:00:00,https://claude.ai/,20',
      'carol,31/03/2024,https://claude.ai/,20',
      'dave,2024-03-31 03:00:00,"https://claude.ai/,20',
    ]
    const record = { ...plain, host: 'claude.ai', port: 443 }
    expect(read('csv', lines, { columns, zone: 'Europe/Berlin' })).toEqual([
      { ...record, at: '2024-03-31T00:59:59.000Z', path: '/chat', user: 'alice', up: 10 },
      { ...record, at: '2024-03-31T01:00:00.000Z', path: '/', user: 'Müller, Bob', up: 20 },
      'failed',
      'failed',
    ])
  })

  test('csv with semicolons, offsets in the times, and hosts', () => {
    const lines = ['When;Host;Who', '2024-03-31T00:00:00+05:30;poe.com:443;-']
    expect(read('csv', lines, { columns: 'time:When,host:Host,user:Who' })).toEqual([
      { ...plain, at: '2024-03-30T18:30:00.000Z', host: 'poe.com', port: 443 },
    ])
  })

  test('jsonl with names and paths of members', () => {
    const lines = ['{"t":1711843200000,"dst":{"host":"poe.com"},"user.name":"erin","sent":5}', '{"t":"never"}', '[1]']
    expect(read('jsonl', lines, { columns: 'time:t,host:dst.host,user:user.name,bytes_up:sent' })).toEqual([
      { ...plain, at: '2024-03-31T00:00:00.000Z', host: 'poe.com', user: 'erin', up: 5 },
      'failed',
      'failed',
    ])
  })

  test.each([
    ['csv', null, null, 'needs a column map'],
    ['csv', 'when:x', null, 'no part of a column map'],
    ['csv', 'time:a,time:b,url:c', null, 'twice'],
    ['csv', 'url:c', null, 'no time'],
    ['jsonl', 'time:c', null, 'neither url nor host'],
    ['squid', 'time:c', null, 'its own columns'],
    ['squid', null, 'UTC', 'zone of their own'],
  ] as const)('%s with columns %j and zone %j is refused', (format, map, zone, words) => {
    expect(() => readerOf(format, { columns: map, zone })).toThrow(words)
  })

  test('a time without a zone refuses the log and names the parameter', () => {
    const lines = ['When,Address', '2024-03-31 03:00:00,https://claude.ai/']
    expect(() => read('csv', lines, { columns: 'time:When,url:Address' })).toThrow(
      expect.objectContaining({ name: 'FormatFault', parameter: 'tz' }),
    )
  })
})

test('a line that was damaged anywhere is read or counted, and never throws', () => {
  const samples: readonly (readonly [LogFormat, string, readonly string[]])[] = [
    ['squid', '1066036250.603 310 192.0.2.16 TCP_MISS/200 1056 GET http://a.example/x - DIRECT/1.2.3.4 text/html', []],
    ['combined', '1.2.3.4 - u [10/Oct/2000:13:55:36 -0700] "GET http://a.example/ HTTP/1.0" 200 23 "-" "x"', []],
    ['w3c', '2024-03-31 02:30:00 "a b" example.com', ['#Fields: date time cs-username cs-host']],
    ['zeek_tsv', '1591367999.3\t10.0.0.1\ta.example', ['#fields\tts\tid.orig_h\tquery']],
    ['zeek_json', '{"ts":1591367999.3,"query":"a.example"}', []],
    ['route53', '{"query_timestamp":"2020-09-10T05:02:45Z","query_name":"a.example."}', []],
    ['vpc_flow', '2 1 eni 10.0.0.1 9.9.9.9 1 443 6 20 4249 1418530010 1418530070 ACCEPT OK', []],
  ]
  for (const [format, line, headers] of samples) {
    const reader = readerOf(format, noOptions)
    for (const header of headers) reader.read(header, emptyRecord())
    expect(reader.read(line, emptyRecord())).toBe('record')
    for (let at = 0; at < line.length; at += 1) {
      for (const text of ['', '"', ' ', '\u0000', '[', ':', '-']) {
        const damaged = line.slice(0, at) + text + line.slice(at + 1)
        expect(['record', 'failed', 'header']).toContain(readerOrFault(() => reader.read(damaged, emptyRecord())))
      }
    }
  }
})

function readerOrFault(run: () => string): string {
  try {
    return run()
  } catch (error) {
    if (error instanceof FormatFault) return 'failed'
    throw error
  }
}
