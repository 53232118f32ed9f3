import { emailOf, forgetToken, readToken, signIn } from "./sign-in.js";
import { createRoot, React, Ruru } from "./static/ruru.js";

const root = document.getElementById("ruru-root");
const person = document.getElementById("person");
const button = document.getElementById("sign-in");
const { endpoint, ...provider } = root.dataset;

const defaultQuery = `{
  ownProfile {
    fullName
    spots {
      nodes {
        spotNumber
      }
    }
  }
}
`;

const workers = { json: "jsonWorker.js", graphql: "graphqlWorker.js" };
globalThis.MonacoEnvironment = {
  getWorker: (_id, label) =>
    new Worker(`/graphiql/static/${workers[label] ?? "editorWorker.js"}`, { type: "module" }),
};

button.addEventListener("click", () => signIn(provider).catch(showFailure));
const token = await readToken(provider).catch(showFailure);
if (token === null) signIn(provider).catch(showFailure);
else if (token !== undefined) {
  person.textContent = `Signed in as ${emailOf(token)}`;
  button.hidden = false;
  // The editor reads the schema when it starts, so it needs a token by then. Without a query that
  // it remembers, it would open an empty tab at every load.
  const initialQuery = localStorage.getItem("graphiql:query") ?? defaultQuery;
  createRoot(root).render(React.createElement(Ruru, { defaultQuery, initialQuery, fetcher }));
}

function showFailure({ message }) {
  person.textContent = `The sign-in failed: ${message}`;
  button.hidden = false;
}

/** Sends a document as the signed-in person, unless the editor's headers say otherwise. */
async function fetcher(parameters, { headers } = {}) {
  const response = await fetch(endpoint, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}`, ...headers },
    body: JSON.stringify(parameters),
  });
  if (response.status === 401) {
    forgetToken();
    person.textContent = "The token was refused.";
  }
  return response.json();
}
