import { describe, expect, test } from 'vitest'
import { findSecrets } from './find-secrets.ts'

// Put together here, so that no scanner takes this file for a leak.
const strong = ['vT9q', 'Zr2L', 'x8Wd', 'K4'].join('')
const human = ['Bri', 'ght7', 'Otter!'].join('')
const hex = ['9f86d081', '884c7d65', '9a2feaa0', 'c55ad015'].join('')

const found = (text: string): string[] => findSecrets(text).map(({ start, end }) => text.slice(start, end))

describe('a value under a credential name is found', () => {
  test.each([
    ['shell export', 'export DB_PASSWORD=@'],
    ['env file', 'SMTP_PASS=@\nPORT=25'],
    ['compose environment', '      - POSTGRES_PASSWORD=@'],
    ['YAML', 'database:\n  password: @\n  port: 5432'],
    ['quoted YAML', "admin_password: '@'"],
    ['JSON', '{"user":"ann","password":"@","port":1}'],
    ['escaped JSON', '"{\\"apiKey\\":\\"@\\"}"'],
    ['Spring properties', 'spring.datasource.password=@'],
    ['ini', '[mail]\npasswd = @'],
    ['TOML', 'client_secret = "@"'],
    ['XML element', '<password>@</password>'],
    ['XML attribute', '<add name="x" password="@" />'],
    ['XML settings pair', '<add key="DbPassword" value="@"/>'],
    ['Kubernetes pair', '- name: DB_PASSWORD\n  value: "@"'],
    ['Azure pair', '{"name": "ClientSecret", "value": "@"}'],
    ['plist pair', '<key>apiKey</key>\n<string>@</string>'],
    ['JavaScript', "const apiKey = '@';"],
    ['TypeScript with a type', "const dbPassword: string = '@'"],
    ['Python', 'PASSWORD = "@"'],
    ['Python keyword argument', 'connect(host="db", password="@")'],
    ['Python bytes', "SECRET_KEY = b'@'"],
    ['Python default', 'os.getenv("API_TOKEN", "@")'],
    ['Go', 'apiSecret := "@"'],
    ['Rust', 'let api_key: &str = "@";'],
    ['Java setter', 'config.setPassword("@");'],
    ['C#', 'private const string ApiKey = "@";'],
    ['PHP array', "'db_password' => '@',"],
    ['PHP constant', "define('DB_PASSWORD', '@');"],
    ['Ruby symbol', 'password: "@"'],
    ['Ruby hash', 'config["api_key"] = "@"'],
    ['Kotlin', 'val accessToken = "@"'],
    ['Swift', 'let clientSecret: String = "@"'],
    ['PowerShell', "$AdminPassword = '@'"],
    ['batch file', 'set DB_PASSWORD=@'],
    ['Dockerfile', 'ENV API_TOKEN @'],
    ['option with a blank', 'tool --password @ --verbose'],
    ['option with an equals sign', 'tool --api-key=@ run'],
    ['docker run', 'docker run -e CLIENT_SECRET=@ app:latest'],
    ['mysql', 'mysql -u root -p@ shop'],
    ['sshpass', "sshpass -p '@' ssh host"],
    ['curl user', 'curl -u ann:@ https://host.test/'],
    ['ADO connection string', 'Server=db;Database=shop;User Id=app;Password=@;Encrypt=true'],
    ['query string', 'https://host.test/v1?user=1&access_token=@&page=2'],
    ['authorization header', 'Authorization: Bearer @'],
    ['authorization in code', "headers: { 'Authorization': 'Bearer @' }"],
    ['curl header', "curl -H 'X-API-Key: @' https://host.test"],
    ['SQL', "CREATE USER ann WITH PASSWORD '@';"],
    ['log line', 'DEBUG login ok token=@ retries=3'],
    ['Markdown', '**Password**: @'],
    ['Markdown code', 'The API key is `@`.'],
    ['table', '| db password | @ |'],
    ['sentence', 'my password is @, please reset it'],
    ['German', 'Das Passwort lautet @'],
    ['Spanish', 'contrase\u00f1a: @'],
    ['Russian', '\u043f\u0430\u0440\u043e\u043b\u044c: @'],
    ['Chinese', '\u5bc6\u7801\uff1a@'],
  ])('%s', (_name, carrier) => {
    expect(found(carrier.replace('@', strong))).toEqual([strong])
  })

  test('a password that a person chose counts under its name, in code and in prose', () => {
    expect(found(`password = "${human}"`)).toEqual([human])
    expect(found(`The password is ${human}`)).toEqual([human])
  })

  test('hexadecimal under a secret name is found, under other names it is a hash', () => {
    expect(found(`client_secret: ${hex}`)).toEqual([hex])
    expect(found(`etag: ${hex}\ncommit ${hex}\nmd5=${hex}\nsecret_hash: ${hex}`)).toEqual([])
  })

  test('the issuer named beside the value gives the type', () => {
    expect(findSecrets(`DATADOG_API_KEY=${hex}`)).toMatchObject([{ type: 'datadog_key', rule: 'issuer-name' }])
    const id = ['1cd5bdbf', '42d8', '4f10', 'b45c', 'e79460814bf4'].join('-')
    expect(findSecrets(`heroku_api_key: ${id}`)).toMatchObject([{ type: 'heroku_api_key' }])
    expect(findSecrets(`api_key: ${id}`)).toEqual([])
  })

  test('basic authorization is decoded before it is judged', () => {
    const header = (pair: string): string => `Authorization: Basic ${Buffer.from(pair).toString('base64')}`
    expect(findSecrets(header(`ann:${strong}`))).toMatchObject([{ type: 'basic_authorization' }])
    expect(findSecrets(header('username:password'))).toEqual([])
  })
})

describe('what is no secret is not found', () => {
  test.each([
    ['a name with another meaning', `password_hash = "${strong}"`],
    ['a public key', `public_key: "${strong}"`],
    ['a key of a map', `cache_key = "${strong}"`],
    ['a file of secrets', 'password_file: /run/secrets/db2024'],
    ['a number of tokens', 'max_tokens: 4096'],
    ['a variable', `password = $${'{DB_PASSWORD_2}'}`],
    ['a template', 'token: {{ vault.token1 }}'],
    ['an environment lookup', 'password = process.env.DB_PASSWORD1'],
    ['a call', 'token = getToken2(user)'],
    ['a member', 'this.secretKey = msg.secretKey'],
    ['an angle blank', 'api_key: <your-api-key-1>'],
    ['stars', 'password: ********'],
    ['a row of one letter', `token=${'x'.repeat(32)}`],
    ['a row of digits', 'password=1234567890'],
    ['a word about secrets', 'password = "password123"'],
    ['the same in other letters', 'password = "P4ssw0rd"'],
    ['an instruction', 'api_key = "REPLACE_WITH_YOUR_KEY_1"'],
    ['a type', 'password: string'],
    ['a sentence', 'The password is required and the token is invalid.'],
    ['a longer word', `tokenizer = "${strong}"`],
    ['a monkey', `monkey = "${strong}"`],
    ['a bcrypt hash', `password = "$2b$10$${'N9qo8uLOickgx2ZMRZoMye'.repeat(2)}"`],
    ['a digest', `token: sha256:${hex}${hex}`],
    ['a resource name', 'secret: arn:aws:secretsmanager:eu-west-1:123:secret:db-x1'],
    ['a vault reference', 'password: op://vault/db/password1'],
    ['a path', 'private_key: ./certs/server1.key'],
    ['an address', 'token: https://login.host.test/oauth2/v1'],
    ['an e-mail', 'auth: user=ann77@host.test'],
    ['a log field', 'auth: result=ok2'],
    ['a date', 'token: 2024-05-01T10:00:00Z'],
    ['a page token', `next_page_token: "${strong}"`],
    ['a cross-site token', `csrf_token: "${strong}"`],
  ])('%s', (_name, text) => {
    expect(found(text)).toEqual([])
  })
})
