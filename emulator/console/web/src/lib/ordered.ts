// Answers can come in another order than they were asked for.

// ordered returns a function to call before each question. What that returns says, when the answer is there, whether it counts: one that was
// asked for before another that counted doesn't.
export function ordered(): () => () => boolean {
  let asked = 0;
  let taken = 0;
  return () => {
    const mine = ++asked;
    return () => {
      if (mine < taken) return false;
      taken = mine;
      return true;
    };
  };
}
