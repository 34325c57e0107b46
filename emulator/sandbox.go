package emulator

import (
	"context"
	"errors"
	"slices"

	"github.com/soundstage-dev/soundstage/engine"
)

// Secret is an API secret that a server starts with.
type Secret struct {
	Value string
	Tier  engine.Tier
	Other bool // whether it belongs to the second user
}

// SandboxSecrets are the secrets of every sandbox on a loopback address. They are fixed, so that examples can be copied;
// the real service refuses their prefix.
func SandboxSecrets() []Secret {
	return []Secret{
		{Value: "sk_sandbox_core", Tier: engine.TierCore},
		{Value: "sk_sandbox_automation", Tier: engine.TierAutomation},
		{Value: "sk_sandbox_platform", Tier: engine.TierPlatform},
		{Value: "sk_sandbox_none", Tier: engine.TierNone},
		{Value: "sk_sandbox_other", Tier: engine.TierPlatform, Other: true},
	}
}

// The fixed ids of the sandbox's two users and their spaces.
const (
	SandboxAccountID engine.AccountID = "00000000-0000-4000-8000-000000000010"
	SandboxUserID    engine.UserID    = "00000000-0000-4000-8000-000000000020"
	SandboxSpaceID   engine.SpaceID   = "00000000-0000-4000-8000-000000000030"
	OtherAccountID   engine.AccountID = "00000000-0000-4000-8000-000000000011"
	OtherUserID      engine.UserID    = "00000000-0000-4000-8000-000000000021"
	OtherSpaceID     engine.SpaceID   = "00000000-0000-4000-8000-000000000031"
)

// Accounts makes sure that the sandbox's two users exist, and returns them.
func Accounts(ctx context.Context, e *engine.Engine) (first, other engine.Caller, err error) {
	first, err = e.CreateAccount(ctx, engine.NewAccount{
		Name: "Sandbox", AccountID: SandboxAccountID, UserID: SandboxUserID, SpaceID: SandboxSpaceID,
	})
	if err != nil {
		return first, other, err
	}
	other, err = e.CreateAccount(ctx, engine.NewAccount{
		Name: "Other", AccountID: OtherAccountID, UserID: OtherUserID, SpaceID: OtherSpaceID,
	})
	return first, other, err
}

// servedKey is the name of every key that a server was started with, which tells them from those of `soundstage keys`.
const servedKey = "(serve)"

// seed makes sure that the users exist, that the secrets open the server, and that those of an earlier start don't: a data
// folder that was a sandbox on a loopback address may be served to everybody now.
func seed(ctx context.Context, e *engine.Engine, secrets []Secret) error {
	first, other, err := Accounts(ctx, e)
	if err != nil {
		return err
	}
	var errs []error
	for _, owner := range []engine.Caller{first, other} {
		errs = append(errs, revoke(ctx, e, owner, secrets))
	}
	for _, s := range secrets {
		owner := first
		if s.Other {
			owner = other
		}
		_, _, err := e.CreateKey(ctx, owner, engine.NewKey{Name: servedKey, Tier: s.Tier, Secret: s.Value})
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// revoke deletes the owner's keys of earlier starts, except those of the secrets that are given again for the same tier.
func revoke(ctx context.Context, e *engine.Engine, owner engine.Caller, secrets []Secret) error {
	keys, err := e.ListKeys(ctx, owner)
	if err != nil {
		return err
	}
	for _, k := range keys {
		again := slices.ContainsFunc(secrets, func(s Secret) bool { return engine.HashSecret(s.Value) == k.Hash && s.Tier == k.Tier })
		if k.Name != servedKey || again {
			continue
		}
		if err := e.DeleteKey(ctx, owner, k.ID); err != nil {
			return err
		}
	}
	return nil
}
