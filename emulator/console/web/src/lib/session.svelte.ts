// The session is what the console needs for its calls: the world that it shows, the token of the control API, and a secret of /v1.

type Stored = 'token' | 'secret';

function stored(key: Stored): string {
  try {
    return sessionStorage.getItem(`soundstage.${key}`) ?? '';
  } catch {
    return ''; // the browser keeps nothing for this page
  }
}

function store(key: Stored, value: string): void {
  try {
    if (value) sessionStorage.setItem(`soundstage.${key}`, value);
    else sessionStorage.removeItem(`soundstage.${key}`);
  } catch {
    // without storage, the value lasts until the page is closed
  }
}

// sendable returns why a token or a secret can't be one, or "". A browser refuses to send other characters in a header.
export function sendable(text: string): string {
  const wrong = /[^\x20-\x7e]/u.exec(text)?.[0];
  return wrong === undefined ? '' : `It can’t have the character “${wrong}”. It may have been copied from where it is hidden.`;
}

class Session {
  world = $state('default');
  token = $state(stored('token'));
  tokenNeeded = $state(false);
  // The secret that a person entered. It is used when the sandbox has no public secrets.
  ownSecret = $state(stored('secret'));
  secrets = $state.raw<{ secret: string; key?: string; tier: string; other: boolean }[]>([]);
  secretsReason = $state('');
  // A call found no sandbox, so that a page may lack what it asked for.
  unanswered = false;
  // What /v1 refused the secret with, or "".
  secretRefused = $state('');

  get secret(): string {
    const own = this.secrets.filter((s) => !s.other);
    return own.find((s) => s.tier === 'platform')?.secret ?? own.at(-1)?.secret ?? this.ownSecret;
  }

  setToken(token: string): void {
    this.token = token;
    this.tokenNeeded = false;
    store('token', token);
  }

  setSecret(secret: string): void {
    this.ownSecret = secret;
    this.secretRefused = '';
    store('secret', secret);
  }
}

export const session = new Session();
