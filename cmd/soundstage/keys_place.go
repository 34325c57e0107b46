package main

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
	"github.com/soundstage-dev/soundstage/node"
)

// keyPlace is where keys are: in a data folder, or in an account of a database.
type keyPlace struct {
	databaseFlags
	data    string
	account string
}

func (k *keyPlace) add(f *pflag.FlagSet) {
	f.StringVar(&k.data, "data", "", "data `folder` of the sandbox")
	k.databaseFlags.add(f)
	f.StringVar(&k.account, "account", "", "`id` of the account in the database, a lower-case UUID; default "+node.DefaultAccountID)
}

// keyUse uses the keys of an owner.
type keyUse func(ctx context.Context, e *engine.Engine, owner engine.Caller) error

var accountID = lazyregexp.New(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// open opens the store, calls use, and closes the store. create creates the account in a database if necessary.
func (k *keyPlace) open(cmd *cobra.Command, create bool, use keyUse) error {
	switch {
	case k.data == "" && !k.wanted():
		return usageError(cmd, errors.New("--data or --database is required"))
	case k.data != "" && k.wanted():
		return engine.Errorf(engine.CodeInvalid, "keys", "--data and --database exclude each other.").WithHint("Set one of them.")
	case k.data != "" && k.account != "":
		return engine.Errorf(engine.CodeInvalid, "keys", "--account needs --database.").WithHint("Omit --account: a data folder has one account.")
	case k.account != "" && !accountID.MatchString(k.account):
		return engine.Errorf(engine.CodeInvalid, "keys", "%.100q is not the id of an account.", k.account).
			WithHint("Use a lower-case UUID, such as " + node.DefaultAccountID + ".")
	case k.data != "":
		return k.openFolder(cmd.Context(), use)
	}
	return k.openDatabase(cmd, create, use)
}

func (k *keyPlace) openFolder(ctx context.Context, use keyUse) (err error) {
	if err := emulator.MakeDataDir(k.data); err != nil {
		return err
	}
	store, err := sqlite.Open(ctx, filepath.Join(k.data, databaseFile))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	if err := emulator.CheckData(ctx, k.data, store); err != nil {
		return err
	}
	e, err := engine.New(engine.Config{Store: store, Blobs: memory.NewBlobs()})
	if err != nil {
		return err
	}
	owner, _, err := emulator.Accounts(ctx, e)
	if err != nil {
		return err
	}
	return use(ctx, e, owner)
}

func (k *keyPlace) openDatabase(cmd *cobra.Command, create bool, use keyUse) (err error) {
	ctx := cmd.Context()
	address, err := k.address(cmd)
	if err != nil {
		return err
	}
	store, err := node.OpenStore(ctx, address)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, node.Close(store)) }()
	e, err := engine.New(engine.Config{Store: store, Blobs: memory.NewBlobs()})
	if err != nil {
		return err
	}
	account := engine.AccountID(cmp.Or(k.account, node.DefaultAccountID))
	if !create {
		if _, err := e.GetAccount(ctx, account); err != nil {
			return noAccount(account, err)
		}
	}
	owner, err := e.CreateAccount(ctx, engine.NewAccount{AccountID: account})
	if err != nil {
		return err
	}
	return use(ctx, e, owner)
}

// noAccount explains the error for an account that doesn't exist.
func noAccount(id engine.AccountID, err error) error {
	if engine.CodeOf(err) != engine.CodeNotFound {
		return err
	}
	return engine.Errorf(engine.CodeNotFound, "keys", "There is no account %s in the database.", id).
		WithHint("Check --account, or create the account with its first key: soundstage keys create.")
}
