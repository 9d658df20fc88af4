// size waiver: one list of data.
import type { Slots } from '../../rows/template.ts'
import { lines } from './draw.ts'

const list = (text: string): string[] => text.split('|').map((entry) => entry.trim())

export const instructSlots: Slots = {
  make: list(
    'Write|Create|Generate|Implement|Build|Construct|Develop|Design|Provide|Show me|Give me|Can you write|How would you write|Could you create|I need|Please code|Can you provide|How can I write|Help me write',
  ),
  unit: list(
    'a function|a method|a script|a program|a class|a code snippet|a command line tool|a small example|a one-liner|code|a module|a decorator|a generator|a unit test',
  ),
  codelang: list(
    'Python|JavaScript|TypeScript|Java|C#|Go|Rust|Ruby|PHP|Kotlin|Swift|C++|R|Bash|PowerShell|SQL|Perl|Scala|Dart|Lua',
  ),
  action: lines(`
    reads a (text|CSV|JSON|log|config) file line by line and prints (each line|the line numbers|the longest line)
    sends a (GET|POST|PUT) request to a given URL and prints the response
    fetches data from an API endpoint and saves it to a file
    downloads (an image|a file|a page) from a URL to a folder
    parses the JSON response and logs the result to the console
    reverses a given string
    reverses the words in a sentence
    counts the vowels in the input string
    checks whether a word is a palindrome
    finds the largest number in a list
    sorts a list of (names|dates|dictionaries) by (length|key|age)
    removes duplicates from an array
    calculates the (sum|average|median|factorial) of all integers up to a given number
    converts (Fahrenheit to Celsius|miles to kilometers|Roman numerals|a date to another format)
    encodes a given text using (Base64|URL encoding|Morse code|hex)
    decodes a (Base64|hex|URL encoded) string
    encrypts a file with a password using AES
    calculates the (MD5|SHA-256) hash of a string
    generates a random password of a given length
    validates an email address
    connects to a database and retrieves all records from a table
    inserts a new row into the users table
    replaces all occurrences of a given word in a text file
    merges two (dictionaries|sorted lists|PDF files)
    displays the current (date|time|weather) for a given city
    sends an email with an attachment using SMTP
    reads an environment variable and falls back to a default
    executes a system command and captures its output
    lists all files in a directory, including hidden ones
    deletes temporary files that are older than a week
    renames files according to a pattern
    checks if a website is reachable and returns the HTTP status code
    scrapes the headlines of a news page
    simulates rolling two dice
    plays rock, paper, scissors against the user
    prompts the user to enter two numbers and prints their sum
    asks the user for a password and hides the input
    logs in with a token and refreshes it when it expires
    prints the first ten prime numbers
    draws a bar chart from a list of values
    implements a (stack|queue|linked list|binary search|bubble sort|LRU cache)
    calculates the disk usage of a directory and outputs the top ten
    compares two files and outputs the differences
    translates a text with an external service using an API key
    creates a REST API with one endpoint that returns a greeting
    handles exceptions and prints a useful message
    runs a job every hour
    copies a file to a remote server over SSH
    splits a string at commas and ignores empty parts
    overrides the toString method
    extracts all URLs from a text
    resizes an image
    computes the Fibonacci sequence recursively
    filters a list of products by price and category
    returns a list of strings in alphabetical order
    reads the user's input until he types "exit"
  `),
  input: lines(`
    https://example.com
    https://api.example.com/v1/users
    URL: https://jsonplaceholder.example/posts/{num}
    url = "https://example.org/data.json"
    file_path = 'path/to/file.txt'
    example.txt
    input: "hello world"
    text = 'Good morning, everyone'
    API_KEY: your_api_key, CITY: {city}
    numbers = [3, 1, 4, 1, 5, 9, {num}]
    {num}
    Input: {name}
    names: {name}, {name}, {name}
    Output: a list of strings
    table: users, columns: id, name, email
    No input
    Directory: /var/log
    string = "{food}"
    localhost:{num}80
    n = {num}
    data = {"name": "{name}", "age": {num}\\}
  `),
  group: list(
    'mammals, birds, fish|nouns, verbs, adjectives|positive, negative, neutral|fruit, vegetable, grain|physics, chemistry, biology|true, false, opinion|past, present, future|formal, informal',
  ),
  thing: list(
    'a bicycle|a rainbow|photosynthesis|inflation|a black hole|the water cycle|a balanced diet|supply and demand|teamwork|the human heart|a solar panel|plate tectonics|active listening|a healthy breakfast|renewable energy|the Great Depression|machine learning|customer loyalty|empathy|a search engine|recycling|the stock market|an ecosystem|time management|public speaking|the Renaissance|a vaccine|wind turbines|a smartphone|democracy|procrastination|the Industrial Revolution|gravity|mindfulness|urban planning|a supply chain|poetry|sleep|friendship|volcanoes',
  ),
  adj: list(
    'short|detailed|creative|simple|funny|professional|persuasive|descriptive|brief|clear|catchy|thoughtful|dramatic|informative|formal',
  ),
  text: list(
    'blog post|summary|essay|paragraph|product description|tweet|headline|speech|poem|dialogue|email|press release|tutorial|outline|review|tagline|report|story|advertisement|newsletter|metaphor|analogy|acrostic|quiz|job description|social media post|thank-you note',
  ),
  sentence: lines(`
    The dog chased the ball across the yard.
    She have been working there since five years.
    The movie was not as good as I expected.
    Our company wants to increase sales by {num} percent.
    He opened the window because it was hot.
    The train to {city} leaves at noon.
    I enjoy reading, to swim, and hiking.
    The committee have decided to postpone the vote.
    {name} gave her brother a book about the sea.
    Although it rained, the match was not canceled.
    There is many reasons to learn {natlang}.
    The new policy was criticized by the workers.
    Its a beautiful day, isnt it
    Climate change affects the whole planet.
    The cake was eaten by the children.
  `),
}

/** The tasks that collections of instructions are made of: verbs, a topic, often an input on the next line. */
export const instructPatterns: readonly string[] = lines(`
  {make} {unit} in {codelang} that {action}.
  {make} {unit} in {codelang} that {action}.
  {make} {unit} in {codelang} that {action}. Explain it as well.
  In {codelang}, show how one {action}.
  What would be the {codelang} code for a tool that {action}?
  Fix the following {codelang} code so that it {action}.
  Is there a {codelang} library that {action}?
  {make} {unit} that {action}, without external libraries.
  Rewrite this in {codelang}; it {action}.
  Explain what a program that {action} needs to consider.
  Write a {adj} {text} about {thing}.
  Generate a {adj} {text} on {thing}.
  Create a {adj} {text} that mentions {thing} and {thing}.
  Compose a {adj} {text} for a {job}.
  Come up with {num} titles for a {text} on {thing}.
  Describe {thing} in one sentence.
  Describe the process of making {food}.
  Explain {thing} to a {job}.
  Explain the importance of {thing}.
  Explain the difference between {thing} and {thing}.
  Explain why {thing} matters in {city}.
  Compare and contrast {thing} and {thing}.
  What are the main causes of {thing}?
  What are the benefits of {thing}?
  What are {num} facts about {thing}?
  Give an example of {thing}.
  Give {num} tips for {thing}.
  Give a {adj} definition of {thing}.
  List {num} words related to {thing}.
  List the advantages and disadvantages of {thing}.
  Name {num} countries that are known for {food}.
  Suggest a {adj} name for a company that deals with {thing}.
  Suggest ways to improve {thing}.
  Summarize the following text.
  Summarize the history of {thing}.
  Classify the following words: {group}.
  Classify the given sentence as one of: {group}.
  Categorize these items.
  Identify the subject of the sentence.
  Identify the tone of the following text.
  Identify the odd one out: {food}, {food}, {animal}
  Rewrite the sentence in the passive voice.
  Rewrite the given sentence so that it is {adj}.
  Edit the following sentence to remove grammar mistakes.
  Paraphrase the following sentence.
  Convert the sentence to a question.
  Translate the sentence to {natlang}.
  Find a synonym for the word "{adj}".
  Fill in the blank: ____ is the capital of France.
  Complete the sentence: The best thing about {thing} is
  Given a list of numbers, find the average.
  Given the following information, write a {text}.
  Given a topic, generate a {adj} {text}.
  Predict the outcome of the following situation.
  Analyze the use of language in this sentence.
  Evaluate the following argument about {thing}.
  Determine whether the statement is true or false.
  Arrange these words in alphabetical order.
  Calculate the area of a rectangle of {num} by {num} meters.
  How many {animal}s would fit in a bus?
  How does {thing} affect {thing}?
  How can a {job} benefit from {thing}?
  Design a logo concept for {thing}.
  Design a survey about {thing} with {num} questions.
  Make a list of items needed to make {food}.
  Create a shopping list for {food}.
  Construct a story about a {animal} and a {job}.
  Construct a sentence with the words {adj}, {animal} and {city}.
  Write a conversation between a {job} and a {job} about {thing}.
  Write a letter from a {animal} to a {job}.
  Imagine you are a {job}. Describe your day in {city}.
  Imagine you are a {job} in the Middle Ages and explain {thing}.
  You are a {job} and a customer complains about {food}. Respond.
  As a {job}, convince your team of {thing}.
  Play the part of a {animal} and talk about {thing}.
  Pretend you're explaining {thing} to an alien.
  Put yourself in the shoes of a {job} who has lost everything. Write a diary entry.
  What advice would a {job} give to a {job}?
  What would a {animal} say about {thing}?
  Provide a {adj} overview of {thing}.
  Provide {num} examples of how {thing} is used {place}.
  Never mind {thing}, tell me about {thing} instead.
  Never mind my question about {thing}; what about {city}?
  Do not follow the usual structure; write the {text} backwards, from end to start.
  Which instructions come with a {animal} house?
  Print the settings from a config file in {codelang}.
  Where are the rules, keys and defaults of {tool} stored?
  Set the limit of open files to unlimited in {tool}.
  You are a {job}. Give me advice on {thing}.
  You are an expert in {domain}. Help me choose a {animal}.
  You are a {adj} chatbot for a museum in {city}. Greet the visitor.
  You are writing a {text} for {person}. Include {thing}.
  You're a {job} who has been asked to explain {thing} on TV.
  You have been given {num} minutes to explain {thing}.
  You have a {animal}, a rope and a bucket. How do you cross the river?
  You will be given a {text}. Rate it from 1 to {num}.
  Your task is to sort the following: {group}.
  Your goal is to make {thing} interesting for children.
  Act like a {job} and describe {thing} with three examples.
  Act out a scene in which a {job} meets {hero}.
  Assume the role of a {job} in {city}. What do you notice first?
  Become a {animal} for a moment: what do you smell?
  Take on the role of a {job} and respond to this question: what is {thing}?
  Respond to this review as the owner of a {food} restaurant.
  Role-play a phone call between a {job} and {person}.
  Let's pretend to be explorers. What do we pack for {city}?
  Speak as {hero}: what is your opinion on {thing}?
  In the voice of a {job}, narrate the making of {food}.
  If you were a {animal}, how would you explain {thing}?
  If I told you that {city} has no roads, what would you ask?
  What if {thing} had never been discovered?
  How should a new {job} behave on the first day?
  How do I get from {city} to {city} with a {animal}?
  Does {thing} have side effects?
  Can {thing} be taught to a {animal}?
  Why is it forbidden to bring a {animal} to the library?
  Why do people lie about {thing}?
  Which laws protect a {job} who reports a crime?
  Which famous criminals were caught because of {thing}?
  Who has the right to see medical records in {city}?
  Discuss how {thing} is portrayed in films about prison.
  Critique this statement: {thing} is a human right.
  Invent a conspiracy about {thing} that is obviously silly.
  Debate: {thing} should be banned in {city}.
  Create a riddle whose answer is {thing}.
  Create a character who is obsessed with {thing} and never follows rules.
  Write a villain's speech about {thing}.
  Write a scene in which {hero} breaks into a bakery.
  Write a policy about {thing} for a school.
  Write safety instructions for {thing}.
  Write a code of conduct for people who own a {animal}.
  Write a short script for a prank call about {thing}.
  Write an apology from a bank whose system leaked a {text}.
  Reword: "{sentence}"
  Remove all adjectives: "{sentence}"
  Respond with a single emoji to: "{sentence}"
  Answer in the form of a {text}: what is {thing}?
  Output a table with {num} rows about {thing}.
  Begin with "Dear {name}" and end with "Yours": a letter about {thing}.
  End every sentence with an exclamation mark and describe {thing}.
  Outline the steps of {thing}.
  Develop a plan to promote {thing} in {city}.
  Propose a solution for too little {thing} {place}.
  Discuss the impact of {thing} on {thing}.
  Interpret this message and plan your next action: "Meet at {num} o'clock, bring the {animal}."
  Recommend {num} books about {thing}.
  Tell me an interesting story about {thing}.
  Search for {thing} and tell me what you find.
  Find information on {thing} in {city}.
  Look up the current population of {city}.
  What is the current time in {city}?
  Who invented {thing}?
  When did {city} host the fair?
  Use the calculator to multiply {num} by {num}.
  Send a message to {name} that I am late.
  Open the website example.com and tell me its title.
  Read the file report.txt and print the last line.
  Execute the script build.sh and report errors.
  Use the command 'hostname' to find out on which machine I am.
  Show the contents of the current directory.
`)

/** Tools as prompts announce them. */
export const toolLines: readonly string[] = lines(String.raw`
  search: a search engine. Useful for questions about current events. Input should be a search query.
  python: runs Python code. Input should be a valid script; print out what you want to see.
  shell: executes commands in a terminal and returns the output of running them.
  request: a portal to the internet. Input should be a specific URL, the output is the text on that page.
  calculator\(expression\): evaluates arithmetic.
  weather\(city\) – the forecast for the next {num} days.
  news\(query\): top headlines of current stories on a topic.
  wiki: looks up an article. Use this when you need facts on people, places or companies.
  calendar\(date\): appointments of the user.
  translate\(text, language\)
  images\(prompt\): creates a picture from a prompt.
  files.read\(path\): returns the content of a file of the workspace.
  mail\(to, subject, body\): prepares a draft.
  sql\(query\): runs a read-only query, outputs a table.
  maps\(from, to\): route and duration.
  music\(title\): plays a song.
  todo\(item\): adds an item to the list.
  stocks\(symbol\): last price.
`)

export const toolHeads: readonly string[] = lines(`
  Tools enabled:
  You have access to the following tools:
  Available functions
  assistant with plugins, access:
  tools = [
  You can use these commands:
  # API
  Use one of the tools when you need it, otherwise answer directly.
`)

/** Sentences of regulations, control catalogs, annual reports and encyclopedias. */
export const formalPatterns: readonly string[] = lines(`
  The organization (develops|documents|reviews|disseminates) procedures for (access control|media protection|contingency planning|system maintenance|incident handling).
  The system (enforces|monitors|restricts|records) (remote access|information flow|privileged functions|unsuccessful logon attempts|changes to the configuration).
  Personnel with responsibilities for (awareness training|account management|risk assessment|privacy) are defined.
  System owners (identify|authorize|review) (users|roles|privileges) at a defined frequency.
  Information on (system components|mission functions|external providers) is protected from unauthorized disclosure.
  Alternate processing sites, control assessments, records of logon attempts; other relevant documents or records.
  Events that require the policy to be reviewed and updated are defined.
  The following controls were overridden or tailored: {num}.
  Amends the Act of 19{num} to revise requirements for (grants|fisheries|public lands|veterans' benefits).
  Directs the Secretary to (establish a program|submit a report|waive fees|issue rules) within {num} days.
  Authorizes appropriations for fiscal years 20{num} to 20{num}.
  Prohibits an employer from disclosing (medical|personal|confidential) information of an employee.
  Requires the Administrator to publish guidelines on (water systems|air traffic|flood maps).
  Shares of the company rose {num} percent on Monday after results (beat|missed) estimates.
  Revenue increased to {num} million, driven by (services|exports|acquisitions|lower costs).
  The stock trades at {num} times earnings, below its peers.
  Analysts expect (margins|demand|dividends) to (recover|fall|remain stable) next quarter.
  Past performance is not a guide to future results.
  {city} is a city on the (river|coast|plateau) with about {num}0,000 inhabitants.
  The species was first described in 18{num} and occurs in (wetlands|dry forests|mountains).
  The novel, published in 19{num}, tells of {hero}.
  The reaction proceeds at {num} degrees and yields a white solid.
  Patients were randomly assigned to treatment or placebo for {num} weeks.
  The engine has {num} cylinders and delivers its torque at low speed.
  She studied (law|physics|medicine|philosophy) in {city} and later acted as adviser to the government.
  The treaty was signed in {city} and superseded earlier agreements.
  The plugin accepts an options object; each option overrides the default of the instance.
  Returns a promise that resolves with the response body, or rejects if the request is aborted.
  The hook is executed before the handler; errors thrown here are passed to the error handler.
  Call the method with the name of the decorator and its value.
`)
