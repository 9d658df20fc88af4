// size waiver: one list of data.
/** Names that npm, PyPI and crates.io users type most, and honest names that differ from one of them in one letter. */
const npm = `
react react-dom react-router react-router-dom react-redux react-native react-scripts react-query preact vue vuex vue-router nuxt next svelte angular
express fastify koa hapi restify body-parser cookie-parser cors helmet morgan passport jsonwebtoken bcrypt bcryptjs argon2 dotenv axios node-fetch
got superagent request undici lodash lodash-es underscore ramda moment dayjs date-fns luxon uuid nanoid chalk commander yargs minimist inquirer ora
debug winston pino bunyan glob rimraf mkdirp fs-extra chokidar semver async bluebird rxjs redux zustand mobx immer typescript ts-node tslib tslint
eslint prettier webpack webpack-cli rollup vite esbuild parcel babel babel-core babel-loader jest mocha chai sinon vitest cypress playwright
puppeteer nodemon pm2 cross-env concurrently husky lint-staged tailwindcss postcss autoprefixer sass less bootstrap jquery d3 three chart.js
socket.io socket.io-client ws mongoose mongodb mysql mysql2 pg redis ioredis sequelize typeorm prisma knex sqlite3 graphql apollo-server
electron electron-builder cheerio jsdom jsdoc xml2js js-yaml yaml ajv joi zod yup formik validator classnames styled-components storybook
openai langchain discord.js telegraf stripe nodemailer multer sharp jimp handlebars ejs pug mustache marked markdown-it highlight.js qs
form-data mime colors event-stream left-pad is-odd through2 readable-stream inherits safe-buffer source-map acorn terser uglify-js core-js
firebase firebase-admin aws-sdk googleapis octokit serverless lerna turbo nx gulp grunt bower pnpm yarn npm koa-router cookie express-session`

const pypi = `
requests urllib3 httpx aiohttp flask django fastapi uvicorn gunicorn starlette pydantic sqlalchemy alembic psycopg2 psycopg2-binary pymysql pymongo redis
celery numpy pandas scipy matplotlib seaborn scikit-learn sklearn tensorflow keras torch torchvision torchaudio transformers datasets tokenizers
huggingface-hub accelerate diffusers sentence-transformers langchain openai anthropic tiktoken nltk spacy gensim beautifulsoup4 lxml html5lib
selenium scrapy playwright pillow opencv-python imageio pytest pytest-cov tox coverage hypothesis black ruff flake8 pylint mypy isort pre-commit
poetry pipenv virtualenv setuptools wheel twine pip click typer rich tqdm colorama python-dateutil pytz arrow pyyaml toml tomli jinja2 markupsafe
werkzeug itsdangerous cryptography pycryptodome pyjwt paramiko fabric ansible boto3 botocore awscli s3fs google-cloud-storage azure-storage-blob
docker kubernetes grpcio protobuf jsonschema simplejson orjson ujson attrs marshmallow networkx sympy statsmodels xgboost lightgbm catboost plotly
dash streamlit gradio jupyter notebook ipython ipykernel jupyterlab certifi idna charset-normalizer six packaging psutil python-dotenv loguru
sentry-sdk pyspark dask polars pyarrow numba cython cffi websockets discord.py tweepy pyautogui pygame kivy pyqt5 pyinstaller`

const crates = `
serde serde_json tokio reqwest hyper actix-web axum clap anyhow thiserror rand regex log env_logger tracing chrono futures async-trait rayon itertools
syn quote proc-macro2 libc bitflags lazy_static once_cell uuid sqlx diesel rocket warp tonic prost bytes nom criterion crossbeam parking_lot`

/** The default list of `popularPackages`. */
export const popularPackages: readonly string[] = [...new Set(`${npm} ${pypi} ${crates}`.trim().split(/\s+/))]
