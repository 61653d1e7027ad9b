"""Ledgers of what autograd keeps, op by op, on modules written here after transformers' modelling code. See ../ledger.py."""
